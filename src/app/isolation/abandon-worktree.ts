import type { RunSettings } from '../../../machines/settings.ts';
import { forgetRuns, removeWorktree } from '../../git/worktree/remove-worktree.ts';
import { placeAt } from '../../git/worktree/worktree-place.ts';

/** Removes the worktree of a run that could not begin, with its captures, and throws the reason again. */
export async function abandonWorktree(run: string, { isolation }: RunSettings, reason: unknown): Promise<never> {
  if (isolation) {
    // What cannot be removed `gc` removes: it must not take the place of the reason.
    await removeWorktree(placeAt(isolation.top)).catch(() => {});
    await forgetRuns([run], isolation.repository).catch(() => {});
  }
  throw reason;
}
