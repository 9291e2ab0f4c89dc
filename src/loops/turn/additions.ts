import type { Recorded, TurnEvent } from '../../../machines/events.ts';
import type { Additions } from '../../kernel/loop-description.ts';

/** The answer, findings and usage that an event of a turn adds to the page and the account of its run. */
export function turnAdditions({ type, payload }: Recorded<TurnEvent>): Additions {
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
