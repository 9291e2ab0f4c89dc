import type { z } from 'zod';
import { rising, threshold } from './thresholds.ts';

/** The rungs of a ladder by a count: each only where it is more than 0. */
export interface Rungs {
  readonly nudge: number;
  /** From here on the next call like it is refused once. Absent: half way from `nudge` to `stop`. */
  readonly refuse?: number | undefined;
  readonly stop: number;
}

/** The settings of a ladder that counts `things`. */
export const rungsOf = (things: string, { nudge, stop }: { readonly nudge: number; readonly stop: number }) => ({
  nudge: threshold(2, things).default(nudge),
  refuse: threshold(2, things).optional(),
  stop: threshold(2, things).default(stop),
});

/** Refuses rungs that do not rise. */
export const risingRungs = (rungs: Rungs, context: z.RefinementCtx): void =>
  rising('nudge', 'refuse', 'stop')({ ...rungs, refuse: rungs.refuse ?? 0 }, context);

/**
 * The rung that a count has come to, from the count before. Nudge and refusal are met once; the stop from its threshold
 * on.
 *
 * @example
 * rungAt(6, 5, { nudge: 6, stop: 12 }); // 'nudge'
 * rungAt(9, 8, { nudge: 6, stop: 12 }); // 'refuse'
 */
export function rungAt(count: number, before: number, rungs: Rungs): 'nudge' | 'refuse' | 'stop' | null {
  const meets = (at: number) => at > 0 && before < at && count >= at;
  if (rungs.stop > 0 && count >= rungs.stop && count > before) return 'stop';
  if (meets(refusalIn(rungs))) return 'refuse';
  return meets(rungs.nudge) ? 'nudge' : null;
}

function refusalIn({ nudge, refuse, stop }: Rungs): number {
  if (refuse !== undefined) return refuse;
  const half = Math.floor((nudge + stop) / 2);
  return nudge > 0 && half > nudge && half < stop ? half : 0;
}
