import type { Fact } from '../runtime/cast.ts';
import { shortId } from './find-run.ts';

/** Runs of which more is told than is still worth remembering: a tree hands over no more at once. */
const MAX_BRANCHES = 1_000;

/** Where the runs of a tree stand in what is told: below whoever gave them their work, by name where several work side by side. */
export class Branches {
  readonly #depth = new Map<string, number>();
  readonly #named = new Set<string>();

  observe(fact: Fact): void {
    if (fact.type === 'child.settled') this.#forget(fact.payload.child);
    if (fact.type !== 'run.started') return;
    const { parent } = fact.payload.settings;
    if (!parent || this.#depth.size >= MAX_BRANCHES) return;
    this.#depth.set(fact.run, this.depthOf(parent.run) + 1);
    if (parent.lineage) this.#named.add(fact.run);
  }

  /** 0 for a run that was not seen to begin below another. */
  depthOf(run: string): number {
    return this.#depth.get(run) ?? 0;
  }

  /** The name of a run whose work was handed over; null for all others. */
  nameOf(run: string): string | null {
    return this.#named.has(run) ? shortId(run) : null;
  }

  #forget(run: string): void {
    this.#depth.delete(run);
    this.#named.delete(run);
  }
}
