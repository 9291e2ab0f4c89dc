import { z } from 'zod';
import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { wholeWithin } from '../strategies/numbers.ts';
import { callByCall } from './call-by-call.ts';
import type { Detector } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { repetitionOf } from './signature.ts';
import { nudgeOrStop, rising, threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';

const MAX_EVIDENCE = 30;
const MOST_REPEATS = 100;

/** The newest calls, and how many calls in a row repeat with each period. */
export interface Cycles {
  /** As many as the longest period, oldest first. */
  readonly recent: readonly { readonly signature: string; readonly tool: string }[];
  /** At index `period - 1`: calls in a row that equal the call `period` places earlier. */
  readonly matches: readonly number[];
  /** For each of the last calls, the answer that asked for it. */
  readonly asked: readonly string[];
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
  })
  .superRefine(rising('nudge', 'stop'))
  .superRefine(rising('nudgeIdentical', 'stopIdentical'));
type Config = z.output<typeof CONFIG>;

const NOTHING: Cycles = { recent: [], matches: [], asked: [] };

/**
 * D2a: the last calls are the same few in the same order, with a period of 1 to `maxPeriod`. Refused calls count: a
 * loop of two calls continues although one of them is blocked. A cycle counts by its shortest period, and the model is
 * told once in a cycle.
 */
export function cycles(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<Cycles> {
  return callByCall('cycles', NOTHING, (before, call, id) => {
    const state = lengthened(before, call, id, config.maxPeriod, traits);
    return { state, findings: findingsIn(state, config) };
  });
}

function lengthened(cycles: Cycles, call: ToolCall, id: string, maxPeriod: number, traits: TraitsOf): Cycles {
  const { recent, matches, asked } = cycles;
  const signature = repetitionOf(call, traits(call.tool));
  if (signature === null) return NOTHING;
  const next = Array.from({ length: maxPeriod }, (_, index) =>
    recent.at(-index - 1)?.signature === signature ? (matches[index] ?? 0) + 1 : 0,
  );
  return {
    recent: [...recent, { signature, tool: call.tool }].slice(-maxPeriod),
    matches: next,
    asked: [...asked, id].slice(-MAX_EVIDENCE),
  };
}

function findingsIn({ recent, matches, asked }: Cycles, config: Config): Finding[] {
  return matches.flatMap((match, index) => {
    const period = index + 1;
    const calls = match + period;
    const [nudge, stop] = period === 1 ? [config.nudgeIdentical, config.stopIdentical] : [config.nudge, config.stop];
    const level = nudgeOrStop(calls, { nudge: nudge * period, stop: stop * period });
    if (level === null || isWithin(matches, calls, period)) return [];
    const count = Math.floor(calls / period);
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
  inDefault: { nudgeIdentical: 2, stopIdentical: 0, nudge: 3, stop: 5 },
  countsCalls: true,
  create: (config, traits) => cycles(config, traits),
});
