import { validate as isUuid } from 'uuid';
import { allRunRefs, forgetRuns } from '../../../actors/workspace/remove-worktree.ts';
import type { Log } from '../../../log/log.ts';

/** Captures of runs that this log does not know are kept this long: another log may have them. */
export const FOREIGN_CAPTURES_KEPT_MS = 7 * 24 * 3_600_000;

interface Forgetting {
  /** The git directory. */
  readonly repository: string;
  readonly log: Log;
  readonly isDryRun: boolean;
  readonly now: number;
  /** Runs whose worktrees are kept. */
  readonly kept: ReadonlySet<string>;
}

/** Removes the captures of runs that are in the log no more. Returns the runs. */
export async function forgetCaptures({ repository, log, isDryRun, now, kept }: Forgetting): Promise<readonly string[]> {
  const inGit = new Set((await allRunRefs(repository)).map(({ run }) => run));
  const known = new Set((await log.runs()).map(({ run }) => run));
  const gone = [...inGit].filter((run) => !known.has(run) && !kept.has(run) && isOld(run, now));
  if (!isDryRun) await forgetRuns(gone, repository);
  return gone;
}

/** The id of a run begins with the time that it was made at, in milliseconds. */
function isOld(run: string, now: number): boolean {
  if (!isUuid(run)) return false;
  const madeAt = Number.parseInt(run.replace('-', '').slice(0, 12), 16);
  return now - madeAt > FOREIGN_CAPTURES_KEPT_MS;
}
