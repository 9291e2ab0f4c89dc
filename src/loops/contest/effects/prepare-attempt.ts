import type { LoopEvent } from '../../../../machines/events.ts';
import { unprepared } from '../../../../machines/contest-lanes.ts';
import type { Fault } from '../../../../machines/outcome.ts';
import { EnvironmentError, remedyFor } from '../../../actors/environment-error.ts';
import { errorCode } from '../../../text/error-code.ts';
import type { Effect, EffectRequest, EffectWork } from '../../shared/effect.ts';
import { lossOf } from '../../shared/effect.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { again, contextOf } from './contest-request.ts';
import { madeContestant } from './contestant-worktree.ts';

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
