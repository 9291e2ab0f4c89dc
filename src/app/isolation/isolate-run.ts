import type { RunSettings } from '../../../machines/settings.ts';
import { logNames } from '../../git/capture/log-names.ts';
import { forgetRuns } from '../../git/worktree/remove-worktree.ts';
import { emptySubmodules } from '../../git/worktree/submodule-files.ts';
import type { PreparedRun } from '../start/prepare-run.ts';
import { leftOutText } from '../../projections/phrases.ts';
import { stateFilesOf } from '../../text/own-files.ts';
import { addressOf } from '../../log/log-files.ts';
import type { Log } from '../../log/log.ts';
import { type Begun, beginWithCommit, beginWithFiles, likelyTree } from './worktree-start.ts';
import { collectWorktrees } from './collect.ts';
import { isolable, missingDependencies, type WantedIsolation } from './isolable.ts';
import { makeOrExplain } from './make-again.ts';

interface Isolating extends WantedIsolation {
  readonly run: string;
  readonly settings: RunSettings;
  /** Will have the run. */
  readonly log: Log;
}

/**
 * Makes the worktree of a new run from the folder that it was given: with everything that is not committed yet, or with
 * the files of the commit. Throws an `EnvironmentError` where it cannot be made; then nothing of it is left.
 */
async function isolateRun({ run, settings, log, dependencies, from }: Isolating): Promise<IsolatedRun> {
  const { directory } = settings;
  const origin = await isolable(directory, from);
  const store = addressOf(log);
  // What killed runs have left there. It hinders no new one.
  await collectWorktrees({ mainRoot: origin.mainRoot, log, isDryRun: false, now: Date.now(), measures: false }).catch(
    () => [],
  );
  const stateFiles = stateFilesOf(settings).map((path) => origin.prefix + path);
  const leaveOut = [...stateFiles, ...(await logNames(origin.root, log.store))];
  const commit = from === 'HEAD' ? origin.head : null;
  let lacks: Omit<Begun, 'trees'> = { unread: '', leftOut: [] };
  const trees = async () => {
    const of = { run, leaveOut, store, captureLimit: settings.captureLimit };
    const { trees, ...more } = await (commit ? beginWithCommit(of, origin, commit) : beginWithFiles(of, origin));
    lacks = more;
    return trees;
  };
  const likely = likelyTree(origin);
  const made = await makeOrExplain({ run, directory, origin, store, trees, likely, dependencies }, async () => {
    await forgetRuns([run], origin.common);
  });
  const isolation = { ...made.isolation, ...(commit ? { commit: commit.commit } : {}) };
  const empty = await emptySubmodules(made.isolation.top);
  const missing = missingDependencies(dependencies, made.isolation);
  return {
    settings: { ...settings, directory: made.directory, isolation },
    warnings: [
      ...made.warnings,
      ...(lacks.unread === '' ? [] : [`The worktree is not complete. ${lacks.unread}`]),
      ...(lacks.leftOut.length === 0 ? [] : [`Not in the worktree: ${leftOutText(lacks.leftOut)}`]),
      ...(missing.length === 0 ? [] : [`deps: git ignores no such folder in ${origin.root}: ${missing.join(', ')}`]),
      ...(empty.length === 0 ? [] : [`Submodules are empty in the worktree, as in the folder: ${empty.join(', ')}`]),
    ],
  };
}

/** The settings of a run that is about to start, in a worktree of its own where that is asked for. */
export async function inItsWorktree(
  { log }: { readonly log: Log },
  run: string,
  { settings, warnings, isolated }: Omit<PreparedRun, 'proof' | 'past'>,
): Promise<IsolatedRun> {
  if (!isolated) return { settings, warnings };
  const made = await isolateRun({ run, settings, log, ...isolated });
  return { ...made, warnings: [...warnings, ...made.warnings] };
}

interface IsolatedRun {
  readonly settings: RunSettings;
  readonly warnings: readonly string[];
}
