import type { EventStore, RunRecord } from './event-store.ts';

/**
 * The runs of the tree that a run belongs to, behind those of the trees that it continues: what a fork shares with the
 * run before it may have been done by children of that one. Oldest first.
 */
export async function familyOf(log: EventStore, run: string): Promise<readonly RunRecord[]> {
  const trees = new Map<string, readonly RunRecord[]>();
  for (let next: string | undefined = run; next !== undefined;) {
    const root: string | undefined = (await log.run(next))?.root;
    // Rows that were edited may lead round in circles.
    if (root === undefined || trees.has(root)) break;
    const tree = await log.tree(root);
    trees.set(root, tree);
    next = tree.find((one) => one.run === root)?.forkedFrom?.run;
  }
  return [...trees.values()].toReversed().flat();
}
