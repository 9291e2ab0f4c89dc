import type { Fault } from '../../machines/outcome.ts';
import type { Isolation } from '../../machines/settings.ts';
import { changedDependencies } from '../git/worktree/dependency-manifest.ts';
import { isThere } from '../git/worktree/worktree-place.ts';
import { WORKTREE_FAULTS } from './worktree-codes.ts';

const MAX_NAMED_FILES = 5;

/** Says why a run cannot go on in its worktree: it was removed. Null: it is there. */
export async function goneFault({ top }: Isolation): Promise<Fault | null> {
  if (await isThere(top)) return null;
  return {
    code: WORKTREE_FAULTS.gone,
    message: `its worktree ${top} was removed while it worked: resume it, and it is made again from the newest capture`,
  };
}

/** Says why what a run shows may be worthless: files that other work uses too have changed. Null: none has. */
export async function sharedFault(isolation: Isolation): Promise<Fault | null> {
  const changed = await changedDependencies(isolation);
  if (changed.length === 0) return null;
  const named = changed.slice(0, MAX_NAMED_FILES).join(', ');
  const more = changed.length > MAX_NAMED_FILES ? ` and ${changed.length - MAX_NAMED_FILES} more` : '';
  return {
    code: WORKTREE_FAULTS.shared,
    message:
      `files of the dependencies in ${isolation.origin}, which the worktree shares, were changed in place: ` +
      `${named}${more}. Install them again there`,
  };
}
