import type { GitCall } from '../../../git/process/git.ts';
import { treeChanges } from '../../../git/tree-change.ts';
import type { ImprovementMemory } from '../memory.ts';
import { appliedTo } from './candidate-tree.ts';

/** The files that a cut experiment has left, on the head of today. Null: there are none, or they do not fit. */
export async function continuedFrom(
  base: string,
  own: ImprovementMemory,
  candidate: string,
  git: GitCall,
): Promise<string | null> {
  const left = own.cut.get(own.candidate(candidate)?.fingerprint ?? '');
  if (!left) return null;
  const changes = await treeChanges(left.base, left.tree, git);
  const applied = await appliedTo(base, { ...left, changes }, git);
  return applied.kind === 'applied' ? applied.tree : null;
}
