import type { EventOf } from '../../machines/events.ts';
import { eventId, type LoggedEvent } from './detector.ts';

export type Took = NonNullable<EventOf<'tool.completed'>['payload']['took']>;

/** The types of events that may end calls: with results, or without. */
export const CALL_ENDS: readonly LoggedEvent['type'][] = [
  'tool.completed',
  'tool.failed',
  'tool.interrupted',
  'person.answered',
  'child.settled',
  'calls.admitted',
];

/** The result of a call as its event tells it. */
export interface CallResult extends Answer {
  /** The id of the event. */
  readonly id: string;
  readonly isRefused: boolean;
}

interface Answer {
  readonly callId: string;
  readonly text: string;
  readonly failed: boolean;
  readonly isRefused?: boolean;
  /** The code of the fault. */
  readonly code?: string;
  readonly took?: Took | undefined;
}

/** The results that an event brings, one for each call. */
export const resultsIn = (event: LoggedEvent): readonly CallResult[] =>
  answersIn(event).map((answer) => ({ ...answer, id: eventId(event), isRefused: answer.isRefused ?? false }));

function answersIn({ type, payload }: LoggedEvent): readonly Answer[] {
  switch (type) {
    case 'tool.completed':
      return [{ callId: payload.callId, text: payload.output, failed: false, took: payload.took }];
    case 'tool.failed': {
      const { callId, fault, took } = payload;
      return [{ callId, text: fault.message, failed: true, code: fault.code, took }];
    }
    case 'person.answered':
      return [{ callId: payload.callId, text: payload.answer, failed: false }];
    case 'child.settled': {
      const { callId, outcome, answer } = payload;
      if (callId === undefined || outcome.ending === 'abort') return [];
      return [{ callId, text: answer, failed: outcome.ending !== 'success' }];
    }
    case 'calls.admitted':
      return payload.refused.map(({ callId, reason }) => ({ callId, text: reason, failed: true, isRefused: true }));
    default:
      return [];
  }
}

/** The call whose result can no longer be known. */
export function lostCallIn({ type, payload }: LoggedEvent): string | null {
  if (type === 'tool.interrupted') return payload.callId;
  return type === 'child.settled' && payload.outcome.ending === 'abort' ? (payload.callId ?? null) : null;
}
