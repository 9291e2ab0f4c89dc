import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import { errorCode } from '../../../text/error-code.ts';
import { GitError } from '../../../git/process/git.ts';
import { WorkspaceError } from '../../../git/bring/write-steps.ts';
import { goneFault } from '../../../actors/worktree-faults.ts';
import { baselineOf, bring, captured, type Integration, NotBrought } from './head-after-bring.ts';

/** Brings the files of the head back, with what its checks have said, and says why. */
export async function* takenBack(reason: string, integration: Integration): AsyncIterable<LoopEvent> {
  const { order, call } = integration;
  const { candidate, head } = order;
  try {
    const reverted = yield* restored(integration);
    if (reverted === null) return yield interruption(String(call.signal.reason));
    yield failed(candidate.id, reason, reverted);
  } catch (error) {
    const left = `its worktree still has files of it, and the next integration puts them right: ${expected(error)}`;
    yield failed(candidate.id, `${reason}; the tree ${head} could not be brought back: ${left}`, false);
  }
}

/** The files are brought back before it is said: what is not checked must not be what the run leaves. */
export async function* interrupted(integration: Integration): AsyncIterable<LoopEvent> {
  try {
    yield* restored(integration);
  } catch (error) {
    expected(error);
  }
  yield interruption(String(integration.call.signal.reason));
}

/** Whether anything had to be taken back. Null: told to stop before the checks of the head were known again. */
async function* restored(integration: Integration): AsyncGenerator<LoopEvent, boolean | null> {
  const { order, memory, call, old } = integration;
  const { head, tree, isolation } = order;
  const isGone = (await goneFault(isolation)) !== null;
  const changed = isGone ? 0 : await bring(head, integration);
  const isRecorded = memory.captured === tree;
  if (isRecorded && !isGone) yield* captured(head, integration);
  if (memory.baseline?.workspace === tree) {
    // Where a killed process has recorded those of the change, they are taken again.
    const known = old && old.workspace !== tree ? old : await baselineOf(head, integration);
    if (known) yield { type: 'baseline.taken', payload: known };
    else if (call.signal.aborted) return null;
  }
  return changed > 0 || isRecorded;
}

export const failed = (candidate: string, reason: string, reverted: boolean): EventOf<'integration.failed'> => ({
  type: 'integration.failed',
  payload: { candidate, reason, reverted },
});

export const interruption = (reason: string): EventOf<'integration.interrupted'> => ({
  type: 'integration.interrupted',
  payload: { reason },
});

/** What git or the disk refuses is a fault of this integration alone. Any other error is thrown again. */
export function expected(error: unknown): string {
  const isExpected = error instanceof GitError || error instanceof WorkspaceError || error instanceof NotBrought;
  if (error instanceof Error && (isExpected || errorCode(error) !== undefined)) return error.message;
  throw error;
}
