import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { ReadEvent } from '../log/read-event.ts';
import { LimitsInForce } from './limits-in-force.ts';
import { type RunSummary, runSummary } from './run-summary.ts';

/** The page of a run while its events are read, with the limits that the loop's own events have changed. */
export class SummaryInForce {
  readonly #loops: readonly LoopDefinition[];
  readonly #limits: LimitsInForce;
  #summary: RunSummary | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
    this.#limits = new LimitsInForce(loops);
  }

  /** Takes each event of the run once, in order. */
  observe(read: ReadEvent): void {
    if (read.kind === 'unreadable') return this.#limits.unreadable();
    const summary = runSummary(this.#summary, read.event, this.#loops);
    const limits = this.#limits.observe(read.event);
    this.#summary = summary && limits ? { ...summary, limits } : summary;
  }

  /** Null before the first event that can be read. */
  get summary(): RunSummary | null {
    return this.#summary;
  }
}
