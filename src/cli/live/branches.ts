import type { Fact } from '../../kernel/effect-handlers.ts';
import { shortId } from '../args/find-run.ts';

/** More runs than a tree delegates to at once: beyond it depth is not tracked. */
const MAX_BRANCHES = 1_000;

/**
 * The indentation of a tree's runs in the narration: each below its parent, with its name where several work in
 * parallel.
 */
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

  /** The name of a run that does delegated work; null for all others. */
  nameOf(run: string): string | null {
    return this.#named.has(run) ? shortId(run) : null;
  }

  #forget(run: string): void {
    this.#depth.delete(run);
    this.#named.delete(run);
  }
}
