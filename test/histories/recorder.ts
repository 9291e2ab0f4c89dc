import { conversationsIn } from '../../src/app/records/earlier-conversations.ts';
import { checksIn } from '../../src/app/records/earlier-errors.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { digestOf, type Fields } from '../../src/replay/recording.ts';
import type { History, Line } from '../../src/replay/history.ts';
import type { MakeHandlers } from '../../src/runtime/make-handlers.ts';
import type { RunState } from '../../src/kernel/fold.ts';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import type { HarnessOptions } from '../support/harness-options.ts';

/** Keeps what live processes do: their events from the log, and their states as they themselves had them. */
export class Recorder {
  readonly #states = new Map<string, RunState>();
  readonly #log: Log;
  #storeTime = Date.now();

  constructor() {
    this.#log = memoryLog({ now: () => this.#storeTime });
  }

  /** A process more, on the same log. */
  harness(options: Omit<HarnessOptions, 'log' | 'aroundHandlers'>) {
    const source = { log: this.#log, loops: shippedLoops };
    const services = { conversations: conversationsIn(source), checksOf: checksIn(source), ...options.services };
    return createHarness({ ...options, services, log: this.#log, aroundHandlers: (inner) => this.#watching(inner) });
  }

  /** As if every process had died: their leases run out. */
  crash(milliseconds: number): void {
    this.#storeTime += milliseconds;
  }

  async history(about: string): Promise<History> {
    const records = await this.#log.runs();
    const fields = this.#fields();
    const lines: (Line & { readonly position: number })[] = [];
    for (const { run: id } of records) {
      for (const { run, version, type, schema, payload, at, causation, mark, position } of await history(this.#log, id)) {
        if (run !== id) continue;
        const state = this.#states.get(`${run}/${version}`);
        if (!state) throw new Error(`nobody had a state at ${run}/${version}`);
        lines.push({
          run, version, type, schema, payload, at, causation, mark, state: digestOf(state, fields), position,
        } as never);
      }
    }
    const runs = records.map(
      ({ run, parentEffect, forkedFrom, closed }) => ({ run, parentEffect, forkedFrom, closed }),
    );
    const ordered = lines.toSorted((one, other) => one.position - other.position);
    return { about, runs, fields, lines: ordered.map(({ position: _, ...line }) => line) };
  }

  #fields(): Fields {
    return Object.fromEntries([...this.#states.values()].map(
      ({ entry, snapshot }) => [entry.id, Object.keys(snapshot.context).toSorted()],
    ));
  }

  /** The first to see a fact is the process that wrote it. */
  #watching(inner: MakeHandlers): MakeHandlers {
    return (run, settings, loop) => {
      const cast = inner(run, settings, loop);
      return {
        ...cast,
        observe: (fact, state) => {
          const id = `${fact.run}/${fact.version}`;
          if (!this.#states.has(id)) this.#states.set(id, state);
          cast.observe(fact, state);
        },
      };
    };
  }
}
