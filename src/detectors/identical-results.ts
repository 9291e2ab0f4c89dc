import type { Finding } from '../../machines/outcome.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector, Noticed } from './detector.ts';
import { isFreshStart } from './fresh-start.ts';
import { type Awaiting, NOTHING_AWAITED, paired } from './observed.ts';
import type { Observed } from './observed-call.ts';
import type { TraitsOf } from './traits.ts';

export interface ResultStreaks {
  readonly awaiting: Awaiting;
  /** Equal calls in a row that brought nothing which one of them had not brought before. */
  readonly calls: CallStreak;
  /** Those of them, up to the last, whose results are equal too. */
  readonly results: CallStreak;
  /** The newest results of the row, in short. */
  readonly seen: readonly string[];
}

interface Numbers {
  /** Equal calls in a row with equal results. */
  readonly threshold: number;
  /** Equal calls in a row with results that take turns; less than `threshold` counts as `threshold`. */
  readonly changing: number;
}

const NONE = { calls: NO_STREAK, results: NO_STREAK, seen: [] };
const MAX_SEEN = 50;
const SEEN_CHARS = 12;

/**
 * D0 where results count: the same call with the same result `threshold` times in a row is a stop. A result that the
 * row has not had is progress: a debugger, a cursor, a count. Where known results take turns, the model is told once,
 * and the stop comes at `changing` calls.
 *
 * A call counts once it has a result; the calls of one answer are one. A call that was interrupted has none: it neither
 * lengthens nor ends a row.
 */
export function identicalResults({ threshold, changing }: Numbers, traits: TraitsOf): Detector<ResultStreaks> {
  const most = Math.max(threshold, changing);
  return {
    name: 'identical-calls',
    init: () => ({ awaiting: NOTHING_AWAITED, ...NONE }),
    step: (before, event): Noticed<ResultStreaks> => {
      if (isFreshStart(event)) return { state: { ...before, ...NONE } };
      const { awaiting, step } = paired(before.awaiting, event, traits);
      if (!step) return { state: awaiting === before.awaiting ? before : { ...before, awaiting } };
      const streaks = lengthenedBy(before, step, { threshold, changing: most });
      return { state: { awaiting, ...streaks }, ...findingIn(streaks, step, { threshold, changing: most }) };
    },
  };
}

type Streaks = Omit<ResultStreaks, 'awaiting'>;

function lengthenedBy({ calls, results, seen }: Streaks, step: Observed, { threshold, changing }: Numbers): Streaks {
  const { evidence, action, isPolling, isExempt } = step;
  if (isPolling || isExempt) return NONE;
  const [asked] = evidence;
  const result = step.result.slice(0, SEEN_CHARS);
  const isRow = calls.signature === action;
  const isNews = !isRow || !seen.includes(result);
  return {
    calls: isRow && isNews ? { ...calls, count: 1, evidence: [asked] } : lengthened(calls, action, asked, changing),
    results: lengthened(results, `${action} ${step.result}`, asked, threshold),
    seen: [...(isRow ? seen.filter((one) => one !== result) : []), result].slice(-MAX_SEEN),
  };
}

function findingIn({ calls, results }: Streaks, { tool }: Observed, numbers: Numbers): { readonly finding?: Finding } {
  const { threshold, changing } = numbers;
  const finding = (level: 'nudge' | 'stop', { count, evidence }: CallStreak, message: string) => ({
    finding: { detector: 'identical-calls', level, count, message, evidence: [...evidence] },
  });
  if (results.count >= threshold)
    return finding('stop', results, `the same call with the same result ${results.count} times in a row: ${tool}`);
  const other = `the same call ${calls.count} times in a row, and its results only take turns: ${tool}`;
  if (calls.count >= changing) return finding('stop', calls, other);
  return calls.count === threshold ? finding('nudge', calls, other) : {};
}
