import type { MemoryRun } from './memory-run.ts';

/** Runs in the order in which they were opened, by name and by the effect that opened them. */
export class RunsTable {
  readonly #byName = new Map<string, MemoryRun>();
  readonly #byEffect = new Map<string, MemoryRun>();

  find(run: string): MemoryRun | null {
    return this.#byName.get(run) ?? null;
  }

  openedBy(effect: string): MemoryRun | null {
    return this.#byEffect.get(effect) ?? null;
  }

  openedFrom(run: string): readonly MemoryRun[] {
    return this.all().filter(({ parentEffect }) => parentEffect?.startsWith(`${run}/`));
  }

  all(): readonly MemoryRun[] {
    return [...this.#byName.values()];
  }

  ofTree(root: string): readonly MemoryRun[] {
    return this.all().filter((run) => run.root === root);
  }

  insert(run: MemoryRun): MemoryRun {
    this.#byName.set(run.run, run);
    if (run.parentEffect !== null) this.#byEffect.set(run.parentEffect, run);
    return run;
  }
}
