import { z } from 'zod';
import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { wholeWithin } from '../strategies/numbers.ts';
import { callByCall } from './call-by-call.ts';
import type { Detector } from './detector.ts';
import { detectorKind } from './kind.ts';
import { repetitionOf } from './signature.ts';
import { nudgeOrStop, rising, threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';

const MAX_EVIDENCE = 30;
const MOST_REPEATS = 100;

/** The newest calls, and for each period how far back they repeat. */
export interface Cycles {
  /** At most the longest period of them, oldest first. */
  readonly recent: readonly { readonly signature: string; readonly tool: string }[];
  /** By period, less one: calls in a row equal to the one that many places earlier. */
  readonly matches: readonly number[];
  /** The answers that asked for the last calls, one for each call. */
  readonly asked: readonly string[];
}

const repeats = (things: string) => threshold(2, things).max(MOST_REPEATS, { error: `at most ${MOST_REPEATS} ${things}` });

const CONFIG = z
  .strictObject({
    maxPeriod: wholeWithin(1, 20, 'calls').default(6),
    /** For cycles of two calls or more. */
    nudge: repeats('repeats').default(0),
    stop: repeats('repeats').default(5),
    /** For a cycle of one: the same call. */
    nudgeIdentical: repeats('calls').default(0),
    stopIdentical: repeats('calls').default(5),
  })
  .superRefine(rising('nudge', 'stop'))
  .superRefine(rising('nudgeIdentical', 'stopIdentical'));
type Config = z.output<typeof CONFIG>;

const NOTHING: Cycles = { recent: [], matches: [], asked: [] };

/**
 * D2a: the last calls are the same few in the same order, over and over, with a period of 1 to 6. Refused calls count: a
 * loop of two calls goes on although one of them is blocked. A cycle counts by its shortest period, and the model is
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
    const tools = recent.slice(-period).map(({ tool }) => tool).join(', ');
    const many = `the same ${period} calls in turn, ${count} times over`;
    const what = period === 1 ? `the same call ${count} times in a row` : many;
    const evidence = [...new Set(asked.slice(-Math.min(calls, count * period)))];
    return [{ detector: 'cycles', level, count, message: `${what}: ${tools}`, evidence }];
  });
}

/** What repeats with a shorter period is no cycle of a longer one: two dozen calls of one tool are not a dozen pairs. */
const isWithin = (matches: readonly number[], calls: number, period: number): boolean =>
  matches.slice(0, period - 1).some((match, index) => period % (index + 1) === 0 && match + index + 1 >= calls);

export const cyclesKind = detectorKind({
  name: 'cycles',
  config: CONFIG,
  create: (config, traits) => cycles(config, traits),
});
