import type { RunSettings } from '../../../machines/settings.ts';
import { removeWorktree } from '../../git/worktree/remove-worktree.ts';
import { isThere, placeAt } from '../../git/worktree/worktree-place.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { WORKTREE_FAULTS } from '../../actors/worktree-codes.ts';
import { sharedFault } from '../../actors/worktree-faults.ts';

/**
 * Removes the worktree of a run that has ended. One that could not be captured is kept: `gc` tries again. Throws an
 * `EnvironmentError` where dependencies that the worktree shares were changed, unless the run's own outcome says so.
 */
export async function leaveWorktree({ isolation }: RunSettings, end: RunEnd, isCaptured: boolean): Promise<void> {
  if (!isolation || end.kind !== 'ended') return;
  if (!isCaptured && (await isThere(isolation.top))) return;
  const { outcome } = end;
  const fault = await sharedFault(isolation);
  await removeWorktree(placeAt(isolation.top));
  const isSaid = outcome.ending === 'abort' && outcome.fault?.code === WORKTREE_FAULTS.shared;
  if (fault && !isSaid) throw new EnvironmentError(WORKTREE_FAULTS.shared, `the run has ended, but ${fault.message}`);
}
