import type { RecordedRuns } from '../records/runs-of-log.ts';
import type { EventOf } from '../../../machines/events.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { RunStep } from '../../runtime/tree-access.ts';
import { type RunPlace, RunTrace } from './run-trace.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** How many levels of runs below a run are told. */
const MAX_DEPTH = 8;

/** One run of the tree. Null: it has ended, and was told whole, or lies too deep. */
interface Told {
  readonly place: RunPlace;
  readonly depth: number;
  trace: RunTrace | null;
}

/** Follows a run and those below it, and returns their spans as texts, each once, when it has ended. */
export class RunTelemetry {
  readonly #host: Host;
  readonly #withContent: boolean;
  readonly #told = new Map<string, Told>();
  /** Those with steps whose spans were not taken yet. */
  readonly #observed = new Set<Told>();
  /** The run of the newest step: mostly the next is of the same. Null: none since the last time. */
  #newest: Told | null = null;

  constructor(host: Host, withContent: boolean) {
    this.#host = host;
    this.#withContent = withContent;
  }

  /** Takes a step of a run that works. False: it has missed some, which `advance` finds in the log. */
  observe(step: RunStep): boolean {
    const { envelope } = step;
    if (this.#newest?.place.run !== envelope.run) {
      this.#newest = this.#told.get(envelope.run) ?? this.#begin(envelope);
      if (this.#newest?.trace) this.#observed.add(this.#newest);
    }
    return this.#newest !== null && (this.#newest.trace?.observe(step) ?? true);
  }

  /** Takes the spans of the steps since the last time: all at once costs less than one by one. */
  take(): readonly string[] {
    const spans = [...this.#observed].flatMap((told) => this.#take(told));
    this.#observed.clear();
    this.#newest = null;
    return spans;
  }

  /** Reads what was recorded of a run and of those below it since the last time. */
  async advance(top: RunPlace): Promise<readonly string[]> {
    const spans: string[] = [];
    const places = [{ place: top, depth: 0 }];
    for (let next = places.shift(); next; next = places.shift()) {
      const { place, depth } = next;
      const told = this.#told.get(place.run) ?? this.#follow(place, depth);
      if (!told.trace) continue;
      await told.trace.read(this.#host.log);
      spans.push(...this.#take(told));
      const below = await this.#host.log.openedFrom(place.run);
      places.unshift(...below.map((one) => ({ place: one, depth: depth + 1 })));
    }
    return spans;
  }

  /** A run that begins while it is followed: its first fact says its place. */
  #begin({ run, type, version, payload }: Envelope): Told | null {
    if (type !== 'run.started' || version !== 1) return null;
    const { parent } = (payload as unknown as EventOf<'run.started'>['payload']).settings;
    if (!parent) return this.#follow({ run, root: run, parentEffect: null, forkedFrom: null }, 0);
    const above = this.#told.get(parent.run);
    if (!above) return null;
    const place = { run, root: above.place.root, parentEffect: parent.effect, forkedFrom: null };
    return this.#follow(place, above.depth + 1);
  }

  #follow(place: RunPlace, depth: number): Told {
    const trace = depth > MAX_DEPTH ? null : new RunTrace(this.#host.definitions, place, this.#withContent);
    const told: Told = { place, depth, trace };
    this.#told.set(place.run, told);
    return told;
  }

  #take(told: Told): readonly string[] {
    const spans = told.trace?.take() ?? [];
    if (told.trace?.hasEnded) told.trace = null;
    return spans;
  }
}
