import type { Isolation, RunSettings } from '../../../../machines/settings.ts';
import { dependencyDigests } from '../../../actors/proof/dependency-digests.ts';
import { makeWorktree } from '../../../git/worktree/make-worktree.ts';
import { originRepository } from '../../../git/worktree/origin-repository.ts';
import { removeWorktree } from '../../../git/worktree/remove-worktree.ts';
import { readableRecord } from '../../../git/worktree/worktree-record.ts';
import { placeAt } from '../../../git/worktree/worktree-place.ts';
import type { ImprovementMemory } from '../memory.ts';
import { type Experiment, experimentPlace, placesOf, removeExperiments } from './experiment-worktree.ts';
import { orderFromTree } from '../../../actors/order-from-tree.ts';
import { EnvironmentError } from '../../../actors/environment-error.ts';
import { continuedFrom } from './continue-cut-work.ts';
import { headTree } from './baselines-on-head.ts';
import { headWithTest } from './acceptance-trees.ts';
import { keepOriginFor } from './origin-since.ts';

/**
 * Makes the worktree of an experiment, in place of those that none needs any more, and keeps how the folder of the
 * person is. Throws an `EnvironmentError`, a `GitError`, and the error of the disk.
 */
export async function madeExperiment(
  experiment: Experiment,
  settings: RunSettings,
  own: ImprovementMemory,
  signal: AbortSignal,
) {
  const { isolation } = settings;
  const head = headTree(settings, own);
  if (!isolation || head === null) throw new EnvironmentError('no_isolation', NO_WORKTREE);
  const git = { directory: isolation.repository, signal };
  const { acceptance = null } = own.experiments.of(experiment.candidate) ?? {};
  const base = acceptance ? await headWithTest(head, acceptance, git) : head;
  const continues = await continuedFrom(base, own, experiment.candidate, git);
  const place = experimentPlace(experiment, isolation);
  await removeExperiments(experiment.run, isolation, placesOf(own.experiments.all(), experiment.run, isolation));
  // What a killed process has left there: nothing has worked in it yet.
  await removeWorktree(place);
  const origin = await originRepository(isolation.origin);
  if (origin === null) throw new EnvironmentError('no_git', `${isolation.origin} is in no git work tree any more`);
  const { run, candidate } = experiment;
  const store = await storeOf(isolation);
  const { directory: inside, isolation: made } = await makeWorktree({
    run,
    origin,
    store,
    ...orderFromTree(isolation, continues ?? base, base),
    place,
    experiment: candidate,
  });
  await keepOriginFor({ run, candidate, isolation: made, store }, signal);
  const shared = isolation.dependencies.map(({ path }) => path);
  return {
    base,
    directory: inside,
    isolation: made,
    ...(continues === null ? {} : { continues }),
    ...(shared.length === 0 ? {} : { dependencies: await dependencyDigests(isolation.top, shared) }),
  };
}

const NO_WORKTREE = 'an experiment needs a run that has a worktree of its own: start it with --isolate worktree';

/** The log that has the run, as the record of its own worktree names it. */
async function storeOf({ top }: Isolation): Promise<string> {
  const record = await readableRecord(placeAt(top));
  if (record) return record.store;
  throw new EnvironmentError('no_isolation', `the worktree of the run, ${top}, or its record is gone: resume the run`);
}
