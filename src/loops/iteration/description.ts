import type { IterationEvent, Recorded } from '../../../machines/events.ts';
import type { LoopDescription } from '../../runtime/loop-description.ts';

/** A loop of whole attempts, for people. */
export const iterationDescription: LoopDescription = {
  round: 'iteration',
  child: 'attempt',
  line: ({ type, payload }: Recorded<IterationEvent>) => (type === 'iteration.started' ? `iteration ${payload.iteration + 1}` : null),
};
