import type { LoopEvent } from '../../../../machines/events.ts';
import { unprepared, type ContestContext } from '../../../../machines/contest-lanes.ts';
import type { Fault } from '../../../../machines/outcome.ts';
import { EnvironmentError, remedyFor } from '../../../actors/environment-error.ts';
import { errorCode } from '../../../text/error-code.ts';
import { type Effect, type EffectRequest, type EffectWork, lossOf } from '../../shared/effect.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { madeContestant } from './contestant-worktree.ts';
import type { Interruption } from '../../../kernel/effect-spec.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { ContestMemory } from '../contest-memory.ts';

/** What the chart of the contest remembered when the effect was asked for. */
export const contextOf = ({ context }: Pick<EffectRequest, 'context'>): ContestContext =>
  lifeOf(context.state) as ContestContext;

export const memoryOf = ({ memory }: Pick<EffectRequest, 'memory'>): ContestMemory => memory.judge.own as ContestMemory;

/** An effect that may be started again: what it makes depends on the log and the trees that it names. */
export const again = (key: string): Effect => ({
  class: 'repeatable',
  interrupted: (_, how: Interruption) => lossOf(key, how),
});

/** Makes the worktree of the attempt that begins. Repeated, it is made anew: nothing has worked in it yet. */
const prepareAttempt = ({ store }: Pick<EffectServices, 'store'>): EffectWork => ({
  execute: (request) =>
    repeatableExecution(async function* ({ signal }) {
      const answer = await prepared(request, store);
      yield signal.aborted ? lossOf('preparing', { reason: String(signal.reason) }) : answer;
    }),
});

async function prepared(request: EffectRequest, store: string | null): Promise<LoopEvent> {
  const { run, settings } = request.context;
  const { lane } = unprepared(contextOf(request)) ?? {};
  if (lane === undefined) throw new Error(`${run}: a worktree is asked for without an attempt`);
  try {
    return { type: 'attempt.prepared', payload: { lane, ...(await madeContestant({ run, lane, store }, settings)) } };
  } catch (error) {
    return { type: 'attempt.refused', payload: { lane, fault: faultOf(error) } };
  }
}

/** A fault of this attempt alone: others may begin where it cannot. */
function faultOf(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof EnvironmentError) return { code: error.code, message };
  const remedy = remedyFor(error);
  const text = `no worktree could be made for the attempt: ${message}${remedy === null ? '' : `. ${remedy}`}`;
  return { code: errorCode(error) ?? 'no_isolation', message: text };
}

export const preparation: Effect = { ...again('preparing'), handler: prepareAttempt };
