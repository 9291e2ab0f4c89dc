import type { Observable } from 'rxjs';
import type { Watch } from '../../runtime/own-tree.ts';
import type { RunStep } from '../../runtime/tree-access.ts';
import type { RecordedRuns } from '../records/runs-of-log.ts';
import { liveTelemetry } from './live-telemetry.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** Told what a collector has not taken of a tree of runs. */
export type Untold = (run: string, untold: string) => void;

/** Sends the spans of every tree of runs that works in a process, each until it ends or leaves. */
export class TreesTelemetry {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #untold: Untold;
  readonly #ending = new Set<Promise<void>>();
  #host: Host | null = null;

  constructor(environment: Readonly<Record<string, string | undefined>>, untold: Untold) {
    this.#environment = environment;
    this.#untold = untold;
  }

  /** The host that `watch` was given to. No tree works before. */
  belongsTo(host: Host): void {
    this.#host = host;
  }

  readonly watch: Watch = (_facts, _deltas, steps) => {
    const telemetry = this.#host && liveTelemetry(this.#host, this.#environment);
    if (!telemetry) return;
    telemetry.follow(steps);
    const ending = topOf(steps).then(async (run) => {
      const untold = await telemetry.end();
      if (run !== null && untold !== null) this.#untold(run, untold);
    });
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  };

  /** Resolves when the spans of the trees that have ended or left are sent, or given up. */
  async end(): Promise<void> {
    await Promise.all(this.#ending);
  }
}

/** The run at the top of a tree, once the tree has ended or left. Null: it has done nothing here. */
function topOf(steps: Observable<RunStep>): Promise<string | null> {
  let top: string | null = null;
  return new Promise((resolve) => {
    steps.subscribe({
      next: ({ envelope }) => (top ??= envelope.run),
      complete: () => resolve(top),
    });
  });
}
