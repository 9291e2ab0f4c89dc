import type { Finding } from '../../machines/outcome.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector } from './detector.ts';
import { type Awaited, stepByStep } from './step-by-step.ts';
import type { Observed } from './observation.ts';
import type { TraitsOf } from './traits.ts';

export interface ResultStreaks {
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

const NONE: ResultStreaks = { calls: NO_STREAK, results: NO_STREAK, seen: [] };
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
export function identicalResults({ threshold, changing }: Numbers, traits: TraitsOf): Detector<Awaited<ResultStreaks>> {
  const numbers = { threshold, changing: Math.max(threshold, changing) };
  return stepByStep('identical-calls', NONE, traits, (before, { step }) => {
    const state = lengthenedBy(before, step, numbers);
    return { state, ...findingIn(state, step, numbers) };
  });
}

function lengthenedBy(
  { calls, results, seen }: ResultStreaks,
  step: Observed,
  { threshold, changing }: Numbers,
): ResultStreaks {
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

function findingIn(
  { calls, results }: ResultStreaks,
  { tool }: Observed,
  numbers: Numbers,
): { readonly finding?: Finding } {
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
