import type { Lease } from '../../log/lease-store.ts';
import type { Log } from '../../log/log.ts';
import { GitError } from '../../git/process/git.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { EnvironmentError, remedyFor } from '../../actors/environment-error.ts';
import { returnToExperiments } from './return-to-experiment.ts';
import { isHeldByOther, type ReturnedTo, returnToWorktree } from './return-to-worktree.ts';

/** The same as `returnToWorktree`, and for the worktrees of the experiments that the run was at. */
export async function returnWithExperiment(
  host: { readonly log: Log },
  run: string,
  lease?: Lease,
): Promise<ReturnedTo> {
  const { log } = host;
  const own = await returnToWorktree(host, run, lease);
  const named = await log.run(run);
  const root = named && (await log.run(named.root));
  // Another process works in it, and refuses the run itself.
  const settings = root && (await readSettings(log, root.run));
  if (!root || !(settings?.isolation || settings?.loop === 'contest')) return own;
  if (await isHeldByOther(log, root.run, lease)) return own;
  const experiments = await returnToExperiments(log, root).catch(async (error: unknown) => {
    await own.refused().catch(() => {});
    throw explained(error);
  });
  const begun = async (live: string) => {
    await own.begun(live);
    // Where that fails a model may be told twice.
    await experiments.told().catch(() => {});
  };
  // Who works there, and is told of it, are the experiments.
  return { ...own, remade: experiments.remade ?? own.remade, begun };
}

function explained(error: unknown): unknown {
  const remedy = remedyFor(error);
  if (remedy === null && !(error instanceof GitError)) return error;
  const text = `the worktree of the run's experiment is gone and cannot be made again: ${(error as Error).message}`;
  return new EnvironmentError('no_isolation', `${text}. ${remedy ?? 'Mend that'}, then resume.`);
}
