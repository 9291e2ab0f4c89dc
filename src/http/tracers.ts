import { RunTracer } from '../app/views/run-tracer.ts';
import type { App } from '../app/app.ts';
import type { RunRecord } from '../log/event-store.ts';
import { IntactTree } from '../runtime/intact.ts';

/** Runs that are kept folded, so that a page that follows one reads only what is new. */
const MAX_FOLDED = 16;
/** Trees of which is kept that they were verified: a few hundred bytes each. */
const MAX_VERIFIED = 10_000;

/** What the server remembers of the runs that were looked at last: how they fold, and that their history holds. */
export class Tracers {
  readonly #loops: Pick<App, 'log' | 'definitions'>;
  readonly #tracers = new Map<string, RunTracer>();
  readonly #trees = new Map<string, IntactTree>();

  constructor(loops: Pick<App, 'log' | 'definitions'>) {
    this.#loops = loops;
  }

  /** The run, read up to now. */
  async of(run: string): Promise<RunTracer> {
    const tracer = kept(this.#tracers, run, MAX_FOLDED, () => new RunTracer(this.#loops, run));
    await tracer.advance();
    return tracer;
  }

  /** Throws a `LogError` where the history of an ended run, or of one below it, was changed. */
  async assertIntact({ run, closed }: RunRecord): Promise<void> {
    // While a run works, its history is verified by the process that owns it.
    if (closed !== null) await this.intactOf(run).assert();
  }

  /** The tree of a run, which is verified once for what was recorded in it. */
  intactOf(run: string): IntactTree {
    return kept(this.#trees, run, MAX_VERIFIED, () => new IntactTree(this.#loops.log, run));
  }
}

/** The value of a key, made where there is none. What was not used for the longest time is forgotten. */
function kept<Value>(values: Map<string, Value>, key: string, most: number, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.delete(key);
  values.set(key, value);
  for (const oldest of values.keys()) {
    if (values.size <= most) break;
    values.delete(oldest);
  }
  return value;
}
