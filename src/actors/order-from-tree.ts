import type { WorktreeOrder } from '../git/worktree/make-worktree.ts';
import type { Isolation } from '../../machines/settings.ts';

/** What the order of a worktree says that has these files, beside that of a run. `committed`: what its commit has. */
export const orderFromTree = (
  { origin, dependencies }: Isolation,
  tree: string,
  committed = tree,
): Pick<WorktreeOrder, 'directory' | 'trees' | 'likely' | 'dependencies'> => ({
  directory: origin,
  // The settings of the repository may be a run's by now: its git is not asked what it would store.
  trees: async () => ({ files: tree, committed }),
  likely: null,
  dependencies: dependencies.map(({ path }) => path),
});
