import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { wholeWithin } from '../strategies/numbers.ts';
import { answerByAnswer } from './answer-by-answer.ts';
import type { Detector } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { newestLast, shortDigest } from './newest-last.ts';
import { type Awaited, stepByStep } from './step-by-step.ts';
import { strongest } from './strongest.ts';
import { nudgeOrStop, rising, threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';

const MAX_EVIDENCE = 30;
const MOST_REPEATS = 100;

/** The newest calls, and how many calls in a row repeat with each period. */
export interface Cycles {
  /** As many as the longest period, oldest first. */
  readonly recent: readonly Repeatable[];
  /** At index `period - 1`: calls in a row that equal the call `period` places earlier. */
  readonly matches: readonly number[];
  /** The same for calls that also brought what that call has brought. */
  readonly unchanged: readonly number[];
  /** The same for calls whose result that call has brought before, whenever. */
  readonly known: readonly number[];
  /** The newest calls with their results, in short. */
  readonly seen: readonly string[];
  /** For each of the last calls, the answer that asked for it. */
  readonly asked: readonly string[];
}

/** A call; its result is empty where results are ignored. */
interface Repeatable {
  readonly signature: string;
  readonly tool: string;
  readonly result: string;
}

const repeats = (things: string) =>
  threshold(2, things).max(MOST_REPEATS, { error: `at most ${MOST_REPEATS} ${things}` });

const CONFIG = z
  .strictObject({
    maxPeriod: wholeWithin(1, 20, 'calls').default(6),
    /** Thresholds for cycles of two or more calls. */
    nudge: repeats('repeats').default(0),
    stop: repeats('repeats').default(5),
    /** Thresholds for one call that is repeated. */
    nudgeIdentical: repeats('calls').default(0),
    stopIdentical: repeats('calls').default(5),
    /** `count`: only repeats with the same results lead to `stop`; those with other known ones do at `changing`. */
    results: z.enum(['count', 'ignore'], { error: 'count or ignore' }).default('ignore'),
    changing: repeats('repeats').default(10),
  })
  .superRefine(rising('nudge', 'stop'))
  .superRefine(rising('nudgeIdentical', 'stopIdentical'));
type Config = z.output<typeof CONFIG>;

const FAILED = 'failed';
const MAX_SEEN = 60;
const NOTHING: Cycles = { recent: [], matches: [], unchanged: [], known: [], seen: [], asked: [] };

/**
 * D2a: the last calls are the same few in the same order, with a period of 1 to `maxPeriod`; those of one answer are
 * one of them. Refused calls count: a loop of two calls continues although one of them is blocked. A cycle counts by
 * its shortest period, and the model is told once in a cycle. Where results count, a cycle is ended that brings the
 * same results; one that brings others, such as a test and the next step of `git bisect`, is neither told nor ended
 * while they are new.
 */
export function cycles(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector {
  if (config.results === 'count') return withResults(config, traits);
  return answerByAnswer('cycles', NOTHING, traits, (before, step) => {
    const made = step && { signature: step.signature, tool: step.tool, result: '' };
    const state = lengthened(before, made, step?.id ?? '', config.maxPeriod);
    return { state, findings: findingsIn(state, config) };
  });
}

const withResults = (config: Config, traits: TraitsOf): Detector<Awaited<Cycles>> =>
  stepByStep('cycles', NOTHING, traits, (before, { step }) => {
    const { tool, action, result, failed, isPolling, isExempt, isRefused, evidence } = step;
    const refused = before.recent.find(({ signature }) => signature === action)?.result;
    // That a call fails again is no news, whatever the error says, nor is its refusal.
    const brought = (isRefused ? refused : undefined) ?? (failed ? FAILED : result);
    const made = isPolling || isExempt ? null : { signature: action, tool, result: brought };
    const state = lengthened(before, made, evidence[0], config.maxPeriod);
    return { state, ...strongest(findingsIn(state, config)) };
  });

function lengthened(cycles: Cycles, made: Repeatable | null, id: string, maxPeriod: number): Cycles {
  const { recent, matches, unchanged, known, seen, asked } = cycles;
  if (made === null) return NOTHING;
  const key = [made.signature, made.result].map(shortDigest).join('');
  const earlierAt = seen.indexOf(key);
  const isKnown = earlierAt >= 0;
  const counted = (before: readonly number[], isLike: (earlier: Repeatable) => boolean) => {
    const counts: number[] = [];
    for (let index = 0; index < maxPeriod; index += 1) {
      const earlier = recent.at(-index - 1);
      counts.push(earlier && isLike(earlier) ? (before[index] ?? 0) + 1 : 0);
    }
    return counts;
  };
  const isSame = ({ signature }: Repeatable) => signature === made.signature;
  return {
    recent: newestLast(recent, -1, made, maxPeriod),
    matches: counted(matches, isSame),
    unchanged: counted(unchanged, (earlier) => isSame(earlier) && earlier.result === made.result),
    known: counted(known, (earlier) => isSame(earlier) && isKnown),
    seen: newestLast(seen, earlierAt, key, MAX_SEEN),
    asked: newestLast(asked, -1, id, MAX_EVIDENCE),
  };
}

function findingsIn({ recent, matches, unchanged, known, asked }: Cycles, config: Config): Finding[] {
  return matches.flatMap((match, index) => {
    const period = index + 1;
    const calls = match + period;
    const [nudge, stop] = period === 1 ? [config.nudgeIdentical, config.stopIdentical] : [config.nudge, config.stop];
    const alike = (unchanged[index] ?? 0) + period;
    const old = (known[index] ?? 0) + period;
    const isStopped = stop > 0 && (alike >= stop * period || old >= Math.max(stop, config.changing) * period);
    const level = isStopped ? 'stop' : nudgeOrStop(alike, { nudge: nudge * period, stop: 0 });
    if (level === null || isWithin(matches, calls, period)) return [];
    const count = Math.floor((isStopped && alike < stop * period ? old : alike) / period);
    const tools = recent
      .slice(-period)
      .map(({ tool }) => tool)
      .join(', ');
    const many = `the same ${period} calls in turn, ${count} times`;
    const what = period === 1 ? `the same call ${count} times in a row` : many;
    const evidence = [...new Set(asked.slice(-Math.min(calls, count * period)))];
    return [{ detector: 'cycles', level, count, message: `${what}: ${tools}`, evidence }];
  });
}

/** A repetition with a shorter period is not one with a longer period: 24 calls of one tool are not 12 pairs. */
const isWithin = (matches: readonly number[], calls: number, period: number): boolean =>
  matches.slice(0, period - 1).some((match, index) => period % (index + 1) === 0 && match + index + 1 >= calls);

export const cyclesKind = detectorKind({
  name: 'cycles',
  row: 'D2a',
  notices: 'the same few calls repeat in the same order',
  config: CONFIG,
  // `identical-calls` ends a turn at the third identical call.
  inDefault: { nudgeIdentical: 2, stopIdentical: 0, nudge: 3, stop: 5, results: 'count' },
  countsCalls: true,
  create: (config, traits) => cycles(config, traits),
});
