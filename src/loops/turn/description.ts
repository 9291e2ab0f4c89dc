import type { Additions, LoopDescription } from '../../kernel/loop-description.ts';
import { GroundsQuestions } from '../grounds-questions.ts';
import { JoinedQuestions } from '../join-questions.ts';
import { turnLine } from './turn-line.ts';
import { TurnNarration } from './turn-narration.ts';
import { TurnQuestions } from './turn-questions.ts';
import type { EventOf, Recorded, TurnEvent } from '../../../machines/events.ts';
import { permissionWords } from '../call-words.ts';
import type { WorkPart } from '../../kernel/work-part.ts';

/** How people read a turn. */
export const turnDescription: LoopDescription = {
  round: 'step',
  rows: false,
  line: turnLine,
  adds: turnAdditions,
  work: turnWork,
  questions: () => new JoinedQuestions([new TurnQuestions(), new GroundsQuestions()]),
  narration: () => new TurnNarration(),
};

/** The answer, findings and usage that an event of a turn adds to the page and the account of its run. */
function turnAdditions({ type, payload }: Recorded<TurnEvent>): Additions {
  switch (type) {
    case 'model.completed':
      return { answer: payload.text, phase: 'answers', request: { kind: 'answered', by: payload.model } };
    case 'model.retried':
      return { phase: 'failures', request: { kind: 'retried' } };
    case 'model.limited':
      return { request: { kind: 'limited', until: payload.retryAt } };
    case 'model.replaced':
      return { request: { kind: 'replaced', from: payload.from, to: payload.to, because: payload.fault.message } };
    case 'model.failed':
    case 'model.interrupted':
      return { phase: 'failures' };
    case 'context.filled':
    case 'context.compacted':
      return { phase: 'compaction' };
    case 'calls.admitted':
      return { findings: payload.findings ?? [] };
    case 'tool.completed':
      return payload.answer === undefined ? {} : { answer: payload.answer };
    case 'tool.interrupted':
      return { phase: 'children' };
    default:
      return {};
  }
}

/** The parts of the work that an event of a turn is. */
function turnWork({ type, payload }: Recorded<TurnEvent>): readonly WorkPart[] {
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
