import type { EventStore, RunRecord } from './event-store.ts';

/**
 * The runs of the tree that a run belongs to, behind those of the trees that it continues: what a fork shares with the
 * run before it may have been done by children of that one. Oldest first.
 */
export async function familyOf(log: EventStore, run: string): Promise<readonly RunRecord[]> {
  const record = await log.run(run);
  if (!record) return [];
  const tree = await log.tree(record.root);
  const before = tree.find((one) => one.run === record.root)?.forkedFrom;
  return before ? [...(await familyOf(log, before.run)), ...tree] : tree;
}
