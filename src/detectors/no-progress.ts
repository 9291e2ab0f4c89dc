import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { whole, wholeWithin } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './kind.ts';
import { type Awaiting, NOTHING_AWAITED, type Observed, paired } from './observed.ts';
import { strongest } from './strongest.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isUserMessage } from './user-message.ts';

/** Each call is held against all that are remembered. */
const MAX_HISTORY = 1_000;
/** How many ids of events a finding names, the newest. */
const MAX_EVIDENCE = 20;

export interface Stagnation {
  readonly awaiting: Awaiting;
  /** The newest calls that have results, oldest first. */
  readonly history: readonly Past[];
  /** Calls in a row that brought nothing which `history` did not hold already. */
  readonly stale: number;
}

interface Past {
  readonly action: string;
  readonly result: string;
  readonly asked: string;
  readonly isPolling: boolean;
  /** How many calls, this one the newest, were two calls taking turns. */
  readonly turns: number;
  /** The model was told that this call brings nothing new. */
  readonly isNudged: boolean;
}

const calls = (byDefault: number) => whole(2, 'calls').default(byDefault);
const CONFIG = z
  .strictObject({ history: wholeWithin(2, MAX_HISTORY, 'calls').default(30), nudge: calls(10), stop: calls(20), global: calls(30) })
  .refine(({ nudge, stop }) => nudge < stop, { path: ['nudge'], error: 'less than `stop`' })
  .refine(({ stop, global }) => stop <= global, { path: ['stop'], error: 'at most `global`' })
  .refine(({ history, global }) => global <= history, { path: ['global'], error: 'at most `history`: more calls are not remembered' });
type Numbers = z.output<typeof CONFIG>;

/**
 * D8: calls that bring nothing new. The same call with the same result, whatever is called between; two calls that take
 * turns, each with the same result every time; or nothing but calls, in whatever pattern, whose results were known
 * already. A result that has changed is progress. Calls of a polling tool are nudged at `stop` and stopped at `global`.
 */
export function noProgress(numbers: Numbers = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<Stagnation> {
  return {
    name: 'no-progress',
    init: () => ({ awaiting: NOTHING_AWAITED, history: [], stale: 0 }),
    step: (before, event): Noticed<Stagnation> => {
      if (isUserMessage(event)) return { state: { ...before, history: [], stale: 0 } };
      const { awaiting, observed } = paired(before.awaiting, event, traits);
      let state = awaiting === before.awaiting ? before : { ...before, awaiting };
      const findings = observed.flatMap((call) => {
        const after = afterCall(state, call, numbers, traits(call.tool).polling === true);
        state = after.state;
        return after.finding ?? [];
      });
      return { state, ...strongest(findings) };
    },
  };
}

function afterCall(before: Stagnation, call: Observed, numbers: Numbers, isPolling: boolean): Noticed<Stagnation> {
  const { history } = before;
  const { tool, action, result, evidence: [asked] } = call;
  const same = sameBefore(history, call);
  const turns = turnsWith(history, call);
  const stale = history.some((past) => isLike(past, call)) ? before.stale + 1 : 0;
  const times = same.length + 1;
  const wasNudged = same.at(-1)?.isNudged ?? false;

  const { nudgeAt, stopAt } = thresholds(isPolling, numbers);
  const inTurns = thresholds(isPolling || history.at(-1)?.isPolling === true, numbers);
  const isNudged = wasNudged || times >= nudgeAt;
  const past: Past = { action, result, asked, isPolling, turns, isNudged };
  const state = { ...before, history: [...history, past].slice(-numbers.history), stale };

  const stop = (sight: Sight) => ({ state, finding: findingOf('stop', sight) });
  const nudge = (sight: Sight) => ({ state, finding: findingOf('nudge', sight) });
  if (times >= stopAt) return stop(sameResult(tool, [...same, past]));
  if (turns >= inTurns.stopAt) return stop(takingTurns(turns, state));
  if (stale >= numbers.global) return stop(nothingNew(stale, state));
  if (isNudged && !wasNudged) return nudge(sameResult(tool, [...same, past]));
  return turns === inTurns.nudgeAt ? nudge(takingTurns(turns, state)) : { state };
}

const isLike = (past: Past | undefined, { action, result }: Observed): boolean => past?.action === action && past.result === result;

/** When this call was made before and brought this result, since it last brought another. */
function sameBefore(history: readonly Past[], call: Observed): readonly Past[] {
  const made = history.filter(({ action }) => action === call.action);
  return made.slice(made.findLastIndex(({ result }) => result !== call.result) + 1);
}

function turnsWith(history: readonly Past[], call: Observed): number {
  const previous = history.at(-1);
  if (!previous || previous.action === call.action) return 1;
  return isLike(history.at(-2), call) ? previous.turns + 1 : 2;
}

/** To be asked again and again is what a polling tool is for. */
const thresholds = (isPolling: boolean, { nudge, stop, global }: Numbers) =>
  isPolling ? { nudgeAt: stop, stopAt: global } : { nudgeAt: nudge, stopAt: stop };

interface Sight {
  readonly count: number;
  readonly message: string;
  readonly evidence: readonly Past[];
}

const sameResult = (tool: string, evidence: readonly Past[]): Sight => ({
  count: evidence.length,
  message: `the same call of ${tool} brought the same result ${evidence.length} times`,
  evidence,
});

const takingTurns = (count: number, { history }: Stagnation): Sight => ({
  count,
  message: `two calls took turns, ${count} in all, each with the same result every time`,
  evidence: history.slice(-count),
});

const nothingNew = (count: number, { history }: Stagnation): Sight => ({
  count,
  message: `${count} calls in a row brought nothing new`,
  evidence: history.slice(-count),
});

const findingOf = (level: Finding['level'], { count, message, evidence }: Sight): Finding => ({
  detector: 'no-progress',
  level,
  count,
  message,
  evidence: [...new Set(evidence.map(({ asked }) => asked))].slice(-MAX_EVIDENCE),
});

export const noProgressKind = detectorKind({
  name: 'no-progress',
  config: CONFIG,
  create: (config, traits) => noProgress(config, traits),
});
