import { EnvironmentFault } from '../../log/environment-fault.ts';
import { git, type GitCall, GitError } from '../process/git.ts';

/** How long a repository elsewhere may take to send or to take objects. */
const REMOTE_TIMEOUT_MS = 30 * 60_000;

/**
 * Runs a call of git that reaches another repository, with the credentials of the user's own git. Throws an
 * `EnvironmentFault` that begins with `what` where that repository cannot be reached, or refuses.
 */
export async function askRemote(what: string, args: readonly string[], call: GitCall): Promise<string> {
  try {
    const said = await git(args, { ...call, mayFetch: true, timeoutMs: REMOTE_TIMEOUT_MS });
    return new TextDecoder().decode(said);
  } catch (error) {
    if (!(error instanceof GitError) || call.signal?.aborted) throw error;
    throw new EnvironmentFault(`${what}: ${error.message}`, error, { hasStarted: true });
  }
}
