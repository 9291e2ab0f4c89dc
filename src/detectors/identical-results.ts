import type { Finding } from '../../machines/outcome.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector, Noticed } from './detector.ts';
import { isFreshStart } from './fresh-start.ts';
import { type Awaiting, NOTHING_AWAITED, type Observed, paired } from './observed.ts';
import { strongest } from './strongest.ts';
import type { TraitsOf } from './traits.ts';

export interface ResultStreaks {
  readonly awaiting: Awaiting;
  /** Equal calls in a row, with any results. */
  readonly calls: CallStreak;
  /** Those of them, up to the last, whose results are equal too. */
  readonly results: CallStreak;
}

interface Numbers {
  /** Equal calls in a row with equal results. */
  readonly threshold: number;
  /** Equal calls in a row with any results; less than `threshold` counts as `threshold`. */
  readonly changing: number;
}

const NONE = { calls: NO_STREAK, results: NO_STREAK };

/**
 * D0 where results count: the same call with the same result `threshold` times in a row is a stop. While the result
 * keeps changing, the model is told once, and the stop comes at `changing` calls: news that never lead to another call
 * are no progress either.
 *
 * A call counts once it has a result. A call that was interrupted has none: it neither lengthens nor ends a row.
 */
export function identicalResults({ threshold, changing }: Numbers, traits: TraitsOf): Detector<ResultStreaks> {
  const most = Math.max(threshold, changing);
  return {
    name: 'identical-calls',
    init: () => ({ awaiting: NOTHING_AWAITED, ...NONE }),
    step: (before, event): Noticed<ResultStreaks> => {
      if (isFreshStart(event)) return { state: { ...before, ...NONE } };
      const { awaiting, observed } = paired(before.awaiting, event, traits);
      let { calls, results } = before;
      const findings = observed.flatMap((pair) => {
        const { evidence, action, result } = pair;
        const call = pair.isPolling || pair.isExempt ? null : action;
        calls = lengthened(calls, call, evidence[0], most);
        results = lengthened(results, call && `${call} ${result}`, evidence[0], threshold);
        return findingsOf(calls, results, pair, { threshold, changing: most });
      });
      return { state: { awaiting, calls, results }, ...strongest(findings) };
    },
  };
}

function findingsOf(
  calls: CallStreak,
  results: CallStreak,
  { tool }: Observed,
  { threshold, changing }: Numbers,
): Finding[] {
  const finding = (level: 'nudge' | 'stop', { count, evidence }: CallStreak, message: string): Finding[] => [
    { detector: 'identical-calls', level, count, message, evidence: [...evidence] },
  ];
  if (results.count >= threshold)
    return finding('stop', results, `the same call with the same result ${results.count} times in a row: ${tool}`);
  const other = `the same call ${calls.count} times in a row, though its results differ: ${tool}`;
  if (calls.count >= changing) return finding('stop', calls, other);
  return calls.count === threshold ? finding('nudge', calls, other) : [];
}
