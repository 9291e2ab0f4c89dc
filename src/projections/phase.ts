import type { LoopEvent } from '../../machines/events.ts';

/**
 * What tokens and money went into: `answers` of the model; `failures`, which came to nothing or were cut off; `compaction`,
 * to make room in the conversation; `children`, work that was handed over, with all that was done for it; the `summary`.
 */
export const PHASES = ['answers', 'failures', 'compaction', 'children', 'summary'] as const;
export type Phase = (typeof PHASES)[number];

/** The phase that a fact's usage belongs to. What attempts use belongs to theirs, as if the run had done it itself. */
export function phaseOf({ type }: Pick<LoopEvent, 'type'>, isHandedOver: boolean): Phase {
  if (isHandedOver) return 'children';
  switch (type) {
    case 'model.completed':
      return 'answers';
    case 'context.filled':
    case 'context.compacted':
      return 'compaction';
    case 'summary.written':
      return 'summary';
    case 'tool.interrupted':
      return 'children';
    default:
      return 'failures';
  }
}
