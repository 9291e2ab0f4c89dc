import type { StopReason } from '@agentclientprotocol/sdk';
import type { RunEnd } from '../../runtime/run-end.ts';

/** The reason that an editor is told for the end of a turn. Null: the run ended by an error, which is the answer. */
export function stopReasonOf(end: RunEnd, isCancelled: boolean): StopReason | null {
  // A run that waits is asked about in the conversation, and the next message of it is the answer.
  if (end.kind !== 'ended') return isCancelled ? 'cancelled' : 'end_turn';
  const { outcome } = end;
  switch (outcome.ending) {
    case 'success':
      return 'end_turn';
    case 'cap_hit':
    case 'budget':
      return outcome.limit.name === 'tokens' ? 'max_tokens' : 'max_turn_requests';
    // The protocol has no word for it. It is no success, and more requests were not to be made.
    case 'doom_loop':
      return 'max_turn_requests';
    case 'abort':
      return outcome.cause === 'error' ? null : 'cancelled';
  }
}
