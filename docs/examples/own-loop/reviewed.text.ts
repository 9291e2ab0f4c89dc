import type { DetectorTerm, FactOf, LoopDescription } from 'loopfold';
import type { AnyEvent, Recorded } from 'loopfold/machines';
import type { RecordedEvent, ReviewedEvent } from './reviewed.events.ts';

/**
 * Describes a review as a call and its result, so that detectors notice a repeated remark as they notice a repeated
 * call.
 */
export function observe({ type, payload, version }: FactOf<ReviewedEvent>): readonly DetectorTerm[] {
  if (type !== 'review.given') return [{ kind: 'as recorded' }];
  const { remark, approved } = payload;
  const action = `review.${version}`;
  return [
    { kind: 'message', text: '', actions: [{ id: action, name: 'review', arguments: { remark } }] },
    { kind: 'result', action, output: remark, failed: !approved },
  ];
}

/** How people read a reviewed loop. */
export const describe: LoopDescription = {
  round: 'iteration',
  child: 'attempt',
  line: (event) => lineOf(event as RecordedEvent),
  adds: (event: Recorded<AnyEvent>) => {
    const remark = lineOf(event as RecordedEvent);
    if (remark === null) return {};
    // The usage of a failed review is counted as failures, not as answers.
    return event.type === 'review.given' ? { remark } : { remark, phase: 'failures' };
  },
};

function lineOf({ type, payload }: RecordedEvent): string | null {
  switch (type) {
    case 'review.given':
      return `${payload.approved ? 'approved' : 'rejected'}: ${payload.remark}`;
    case 'review.failed':
      return `no review: ${payload.fault.message}`;
    case 'review.interrupted':
      return `review cut short: ${payload.reason}`;
    default:
      return null;
  }
}
