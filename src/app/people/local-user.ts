import { userInfo } from 'node:os';
import type { Approver } from '../../../machines/recorded-proof.ts';
import { userEmail } from '../../git/git-worktree.ts';

/** The user of this process, by the name that the system knows and the address that git knows in a folder. */
export const localUser = async (directory: string): Promise<Omit<Approver, 'door'>> => ({
  name: userName(),
  email: await userEmail(directory),
});

function userName(): string {
  try {
    return userInfo().username.toWellFormed();
  } catch {
    // The system does not name every user, as in some containers.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
