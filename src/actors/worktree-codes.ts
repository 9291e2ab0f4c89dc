/** Faults of a worktree, as runs record them: the environment is at fault, and not the work. */
export const WORKTREE_FAULTS = { gone: 'worktree_gone', shared: 'dependencies_changed' } as const;
