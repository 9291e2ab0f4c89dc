import type { DetectorTerm, FactOf, LoopDescription } from 'loopfold';
import type { AnyEvent, Recorded } from 'loopfold/machines';
import type { RecordedEvent, ReviewedEvent } from './reviewed.events.ts';

/** A review in words that detectors know: the same remark again and again is noticed as the same call is. */
export function observe({ type, payload, version }: FactOf<ReviewedEvent>): readonly DetectorTerm[] {
  if (type !== 'review.given') return [{ kind: 'as recorded' }];
  const { remark, approved } = payload;
  const action = `review.${version}`;
  return [
    { kind: 'message', text: '', actions: [{ id: action, name: 'review', arguments: { remark } }] },
    { kind: 'result', action, output: remark, failed: !approved },
  ];
}

/** A reviewed loop, for people. */
export const describe: LoopDescription = {
  round: 'iteration',
  child: 'attempt',
  line: (event) => lineOf(event as RecordedEvent),
  adds: (event: Recorded<AnyEvent>) => {
    const remark = lineOf(event as RecordedEvent);
    if (remark === null) return {};
    // What a review used that came to nothing is told apart from what answers used.
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
