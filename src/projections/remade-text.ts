import type { Remade } from '../../machines/events.ts';

/** What the files of a worktree that was made again are from, for users. */
function captureName({ from }: Remade): string {
  if (from === 0) return 'the tree that it began with';
  return from === 'end' ? 'the capture of when it was left' : `capture ${from}`;
}

/** What users read of a worktree that was made again. */
export const remadeText = (remade: Remade): string =>
  `Its worktree was gone, and is made again from ${captureName(remade)}`;
