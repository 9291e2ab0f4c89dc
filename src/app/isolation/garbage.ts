import { join } from 'node:path';
import { leftProofFolders, PROOFS, removeProofFolder } from '../../actors/proof/proof-folder.ts';
import { abandonedDrafts, abandonedFolders, removeAbandoned } from '../../git/capture/old-drafts.ts';
import { originRepository } from '../../git/worktree/origin-repository.ts';
import type { Log } from '../../log/log.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { defaultStoreIn } from '../store-place.ts';
import { assertSound } from './assert-sound.ts';
import { collectWorktrees, type LookedAt } from './collect.ts';
import { forgetCaptures } from './forgotten-captures.ts';
import { type Pruned, pruneCaptures } from './prune-captures.ts';

/** What was removed from a repository, and what was not. */
export interface Garbage {
  readonly removed: readonly LookedAt[];
  readonly kept: readonly LookedAt[];
  /** Runs whose captures were removed. */
  readonly forgotten: readonly string[];
  /** Runs whose captures stay: it is not known which log has them, or that log cannot be read. */
  readonly unknown: readonly string[];
  /** Captures between start and end that were removed, of runs that ended long ago. */
  readonly pruned: Pruned;
  /** Unfinished files and temporary folders of killed processes that were removed. Absolute. */
  readonly unfinished: readonly string[];
}

export interface Collecting {
  /** True: nothing is removed. */
  readonly isDryRun?: boolean;
  /** In milliseconds, as `Date.now()` has it. */
  readonly now?: number;
  /**
   * How long ago a run has ended whose captures between start and end go. Absent: 30 days after a success, and never
   * for other endings.
   */
  readonly olderThanMs?: number | undefined;
}

/**
 * Removes what runs that are gone have left in the repository around a folder: worktrees, their records, captures, and
 * unfinished files; and captures between start and end of runs that ended long ago. Nothing of a run that is live or
 * that can be resumed, and no branch. Throws an `EnvironmentError` outside git, and a `LogError`, with nothing removed,
 * where the log is damaged.
 *
 * @example
 * const { removed } = await loops.collectGarbage(process.cwd(), { isDryRun: true });
 */
export async function collectGarbage(
  log: Log | null,
  directory: string,
  { isDryRun = false, now = Date.now(), olderThanMs }: Collecting = {},
): Promise<Garbage> {
  const origin = await originRepository(directory);
  if (origin === null) {
    throw new EnvironmentError('no_git', `${directory} is in no git work tree: runs have left nothing there`);
  }
  if (log) await assertSound(log);
  const { mainRoot, common: repository } = origin;
  const looked = await collectWorktrees({ mainRoot, log, isDryRun, now, measures: true });
  const kept = looked.filter(({ verdict }) => verdict.kind === 'keep');
  // Also of worktrees that were just removed: their last capture may be the only one.
  const runs = new Set(looked.flatMap(({ run }) => run ?? []));
  const about = { repository, log, beside: defaultStoreIn(mainRoot), isDryRun, now };
  const { forgotten, unknown } = await forgetCaptures({ ...about, kept: runs });
  const pruned = await pruneCaptures(log, { repository, isDryRun, now, olderThanMs });
  const abandoned = [...(await abandonedDrafts(origin.root, { andIgnored: true })), ...(await abandonedFolders())];
  const proofs = await leftProofFolders(join(mainRoot, OWN_FOLDER, PROOFS));
  if (!isDryRun) await Promise.all(proofs.map(removeProofFolder));
  const unfinished = [...proofs, ...(isDryRun ? abandoned : await removeAbandoned(abandoned))];
  return {
    removed: looked.filter(({ verdict }) => verdict.kind === 'remove'),
    kept,
    forgotten,
    unknown,
    pruned,
    unfinished,
  };
}
