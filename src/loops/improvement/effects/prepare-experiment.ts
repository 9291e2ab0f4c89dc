import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import { unprepared } from '../../../../machines/improvement-lanes.ts';
import { GitError } from '../../../git/process/git.ts';
import type { ImprovementMemory } from '../memory.ts';
import { witnessOf } from '../witness/witness-of.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { Effect, EffectRequest, EffectWork } from '../../shared/effect.ts';
import { EnvironmentError, remedyFor } from '../../../actors/environment-error.ts';
import { contextOf, memoryOf, repeatable } from './improvement-request.ts';
import { toldOfLeft } from './experiment-worktree.ts';
import { madeExperiment } from './make-experiment.ts';

type Fault = EventOf<'experiment.refused'>['payload']['fault'];

/**
 * Makes the worktree of an experiment, with exactly the files that the loop has come to and the dependencies that the
 * run's own worktree got. Those that no experiment needs any more are removed first. Repeated, it is made anew.
 */
const prepareExperiment: EffectWork = {
  execute: (request) =>
    repeatableExecution(async function* ({ signal }) {
      const known = memoryOf(request).experiments.all();
      yield* toldOfLeft(request.context, new Set(known.map(({ candidate }) => candidate)));
      const answer = await prepared(request, signal);
      yield signal.aborted ? interrupted(signal) : answer;
    }),
};

const interrupted = ({ reason }: AbortSignal): EventOf<'preparation.interrupted'> => ({
  type: 'preparation.interrupted',
  payload: { reason: String(reason) },
});

async function prepared(request: EffectRequest, signal: AbortSignal): Promise<LoopEvent> {
  const { run, settings } = request.context;
  const own = memoryOf(request);
  const { candidate } = unprepared(contextOf(request)) ?? {};
  if (candidate === undefined) throw new Error(`${run}: a worktree is asked for without a candidate`);
  try {
    const worktree = await madeExperiment({ run, iteration: own.iteration, candidate }, settings, own, signal);
    const witness = witnessNamed(request, own, candidate);
    return { type: 'experiment.prepared', payload: { candidate, ...worktree, ...witness } };
  } catch (error) {
    return { type: 'experiment.refused', payload: { candidate, fault: faultOf(error) } };
  }
}

/** What will show that it is done, where the run is one that asks for it. */
function witnessNamed({ memory: { baseline } }: EffectRequest, own: ImprovementMemory, candidate: string) {
  const discovery = own.candidate(candidate);
  const { witnesses, phases } = own.options;
  if (!witnesses || !phases.evaluate.enabled || !discovery) return {};
  return { witness: witnessOf(discovery, { baseline, acceptance: own.plans.acceptanceOf(candidate) }) };
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

export const preparation: Effect = { ...repeatable('preparation.interrupted'), handler: () => prepareExperiment };
