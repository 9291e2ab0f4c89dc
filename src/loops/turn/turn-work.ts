import type { EventOf, Recorded, TurnEvent } from '../../../machines/events.ts';
import { permissionWords } from '../call-words.ts';
import type { WorkPart } from '../../kernel/work-part.ts';

/** The parts of the work that an event of a turn is. */
export function turnWork({ type, payload }: Recorded<TurnEvent>): readonly WorkPart[] {
  switch (type) {
    case 'model.completed': {
      const called = payload.calls.map((call): WorkPart => ({ kind: 'called', call }));
      return [{ kind: 'said', text: payload.text }, ...called];
    }
    case 'calls.admitted':
      return payload.refused.map(({ callId, reason }) => returned(callId, reason, true));
    case 'tool.completed':
      return [returned(payload.callId, payload.output, false)];
    case 'tool.failed':
      return [returned(payload.callId, payload.fault.message, true)];
    case 'tool.interrupted':
      return [returned(payload.callId, payload.reason, true)];
    case 'person.answered':
      return [returned(payload.callId, personText(payload), false)];
    case 'context.filled':
      return [{ kind: 'beside' }];
    default:
      return [];
  }
}

const returned = (callId: string, text: string, isFailed: boolean): WorkPart => ({
  kind: 'returned',
  callId,
  isFailed,
  text,
});

/** What a person said: their answer, or that they let something be, or not. */
function personText({ answer, access, permission }: EventOf<'person.answered'>['payload']): string {
  if (permission) return permissionWords(permission);
  return access === undefined ? answer : `${access.granted ? 'approved' : 'denied'}: ${access.path}`;
}
