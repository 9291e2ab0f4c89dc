import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import type { Isolation, RunSettings } from '../../../../machines/settings.ts';
import { GitError } from '../../../actors/workspace/git.ts';
import { makeWorktree } from '../../../actors/workspace/make-worktree.ts';
import { originRepository } from '../../../actors/workspace/origin-repository.ts';
import { removeWorktree } from '../../../actors/workspace/remove-worktree.ts';
import { readableRecord } from '../../../actors/workspace/worktree-record.ts';
import { placeAt } from '../../../actors/worktree-place.ts';
import type { ImprovementMemory } from '../../../loops/improvement/memory.ts';
import { repeatableExecution } from '../effects/execution.ts';
import type { EffectRequest, LocalEffect } from '../effects/local-effect.ts';
import { type Experiment, experimentPlace, removeExperiments } from '../isolation/experiment-worktree.ts';
import { remedyFor } from '../isolation/make-or-explain.ts';
import { EnvironmentError } from '../readiness.ts';
import { headTree } from './head-tree.ts';

type Fault = EventOf<'experiment.refused'>['payload']['fault'];

/**
 * Makes the worktree of an experiment, with exactly the files that the loop has come to and the dependencies that the
 * run's own worktree got. Those of earlier experiments are removed first. Repeated, it is made anew.
 */
export const prepareExperiment: LocalEffect = {
  execute: (request) =>
    repeatableExecution(async function* ({ signal }) {
      const answer = await prepared(request);
      yield signal.aborted ? interrupted(signal) : answer;
    }),
};

const interrupted = ({ reason }: AbortSignal): EventOf<'preparation.interrupted'> => ({
  type: 'preparation.interrupted',
  payload: { reason: String(reason) },
});

async function prepared({ context: { run, settings }, memory }: EffectRequest): Promise<LoopEvent> {
  const own = memory.judge.own as ImprovementMemory;
  if (!own.candidate) throw new Error(`${run}: a worktree is asked for without a candidate`);
  const candidate = own.candidate.id;
  try {
    const worktree = await madeFor({ run, iteration: own.iteration, candidate }, settings, own);
    return { type: 'experiment.prepared', payload: { candidate, ...worktree } };
  } catch (error) {
    return { type: 'experiment.refused', payload: { candidate, fault: faultOf(error) } };
  }
}

async function madeFor(experiment: Experiment, settings: RunSettings, own: ImprovementMemory) {
  const { isolation } = settings;
  const base = headTree(settings, own);
  if (!isolation || base === null) throw new EnvironmentError('no_isolation', NO_WORKTREE);
  const place = experimentPlace(experiment, isolation);
  await removeExperiments(experiment.run, isolation, place);
  // What a killed process has left there: nothing has worked in it yet.
  await removeWorktree(place);
  const { origin: directory, dependencies } = isolation;
  const origin = await originRepository(directory);
  if (origin === null) throw new EnvironmentError('no_git', `${directory} is in no git work tree any more`);
  const { directory: inside, isolation: made } = await makeWorktree({
    run: experiment.run,
    directory,
    origin,
    store: await storeOf(isolation),
    trees: async () => ({ files: base, committed: base }),
    likely: null,
    dependencies: dependencies.map(({ path }) => path),
    place,
    experiment: experiment.candidate,
  });
  return { base, directory: inside, isolation: made };
}

const NO_WORKTREE = 'an experiment needs a run that has a worktree of its own: start it with --isolate worktree';

/** The log that has the run, as the record of its own worktree names it. */
async function storeOf({ top }: Isolation): Promise<string> {
  const record = await readableRecord(placeAt(top));
  if (record) return record.store;
  throw new EnvironmentError('no_isolation', `the worktree of the run, ${top}, or its record is gone: resume the run`);
}

/** Also what is no fault of the environment is one of this candidate alone: the next one is tried. */
function faultOf(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof EnvironmentError) return { code: error.code, message };
  const remedy = remedyFor(error);
  const text = `no worktree could be made for the experiment: ${message}${remedy === null ? '' : `. ${remedy}`}`;
  return { code: codeOf(error), message: text };
}

function codeOf(error: unknown): string {
  if (error instanceof GitError) return error.code;
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'no_isolation';
}
