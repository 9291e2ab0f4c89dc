import type { LoopEvent } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';
import type { Outstanding } from './fold.ts';
import { type LoopDefinition, specOf } from './loop-definition.ts';
import { madeBy } from './made-by-loop.ts';

/**
 * What is recorded for an effect that was stopped, or lost in a crash, and will not answer, as its loop says it. Null: it
 * owes no word. Where it may have used something, all that its run, as it stands, has set aside for it counts as used.
 */
export function interruption(one: Outstanding, reason: string, life: Life | null, loop: LoopDefinition): LoopEvent | null {
  const kept = life && keptUsage(life, one.key);
  const event = specOf(one, loop).interrupted?.(one, { reason, kept }) ?? null;
  return event && madeBy(loop, event);
}
