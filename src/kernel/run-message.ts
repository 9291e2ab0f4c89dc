import type { LoopEvent } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';
import type { Outstanding } from './fold.ts';
import { type LoopDefinition, specOf } from './loop-definition.ts';
import { madeBy } from './loop-authorship.ts';

/**
 * Why a message changes nothing. `left`: the run continues, elsewhere or later. `unowned`: a pause, and no process runs
 * it. `aborting`: a pause, and the run is about to end.
 */
export type Refusal =
  | 'ended'
  | 'left'
  | 'unexpected'
  | 'not_outstanding'
  | 'not_json'
  | 'paused'
  | 'unowned'
  | 'aborting';
export type PostResult =
  | { readonly kind: 'accepted'; readonly version: number }
  | { readonly kind: 'rejected'; readonly because: Refusal };

/** An event on its way to a run. */
export interface RunMessage {
  readonly event: LoopEvent;
  /** The effect (`version/n`) it is a result of. */
  readonly causation: string | null;
  /** The inbox entry it delivers. */
  readonly entry?: number;
  readonly answered?: (result: PostResult) => void;
}

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
