import type { LoopEvent } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';
import type { Outstanding } from './fold.ts';
import { type LoopDefinition, specOf } from './loop-definition.ts';
import { madeBy } from './made-by-loop.ts';

/**
 * The event that is recorded for an effect that was stopped, or lost in a crash, as its loop defines it. Null: none is
 * needed. Where the effect may have used tokens, its whole reservation counts as used: the usage cannot be known.
 */
export function interruption(
  one: Outstanding,
  reason: string,
  life: Life | null,
  loop: LoopDefinition,
): LoopEvent | null {
  const kept = life && keptUsage(life, one.key);
  const event = specOf(one, loop).interrupted?.(one, { reason, kept }) ?? null;
  return event && madeBy(loop, event);
}
