import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { whole, wholeWithin } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { type Awaiting, NOTHING_AWAITED, type Observed, paired } from './observed.ts';
import { strongest } from './strongest.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isFreshStart } from './fresh-start.ts';

/** The limit keeps a call cheap: each one is compared with all that are remembered. */
const MAX_HISTORY = 1_000;
/** How many event ids a finding cites, the newest. */
const MAX_EVIDENCE = 20;

export interface Stagnation {
  readonly awaiting: Awaiting;
  /** The newest calls that have results, oldest first. */
  readonly history: readonly Past[];
  /** Calls in a row whose results `history` already held. */
  readonly stale: number;
}

interface Past {
  readonly action: string;
  readonly result: string;
  readonly asked: string;
  readonly isPolling: boolean;
  /** How many calls, up to this one, were two calls in turn. */
  readonly turns: number;
  /** The model was told that this call brings nothing new. */
  readonly isNudged: boolean;
}

const calls = (byDefault: number) => whole(2, 'calls').default(byDefault);
const CONFIG = z
  .strictObject({
    history: wholeWithin(2, MAX_HISTORY, 'calls').default(30),
    nudge: calls(10),
    stop: calls(20),
    global: calls(30),
  })
  .refine(({ nudge, stop }) => nudge < stop, { path: ['nudge'], error: 'less than `stop`' })
  .refine(({ stop, global }) => stop <= global, { path: ['stop'], error: 'at most `global`' })
  .refine(({ history, global }) => global <= history, {
    path: ['global'],
    error: 'at most `history`: more calls are not remembered',
  });
type Numbers = z.output<typeof CONFIG>;

/**
 * D8: calls that bring nothing new. The same call with the same result, with any calls between; two calls in turn, each
 * with the same result every time; or only calls whose results were already known, in any pattern. A changed result is
 * progress. Calls of a polling tool are nudged at `stop` and stopped at `global`.
 */
export function noProgress(numbers: Numbers = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<Stagnation> {
  return {
    name: 'no-progress',
    init: () => ({ awaiting: NOTHING_AWAITED, history: [], stale: 0 }),
    step: (before, event): Noticed<Stagnation> => {
      if (isFreshStart(event)) return { state: { ...before, history: [], stale: 0 } };
      const { awaiting, observed } = paired(before.awaiting, event, traits);
      let state = awaiting === before.awaiting ? before : { ...before, awaiting };
      const findings = observed.flatMap((call) => {
        const after = afterCall(state, call, numbers);
        state = after.state;
        return after.finding ?? [];
      });
      return { state, ...strongest(findings) };
    },
  };
}

function afterCall(before: Stagnation, call: Observed, numbers: Numbers): Noticed<Stagnation> {
  const { history } = before;
  const {
    tool,
    action,
    result,
    isPolling,
    evidence: [asked],
  } = call;
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

  const stop = (evidence: Evidence) => ({ state, finding: findingOf('stop', evidence) });
  const nudge = (evidence: Evidence) => ({ state, finding: findingOf('nudge', evidence) });
  if (times >= stopAt) return stop(sameResult(tool, [...same, past]));
  if (turns >= inTurns.stopAt) return stop(takingTurns(turns, state));
  if (stale >= numbers.global) return stop(nothingNew(stale, state));
  if (isNudged && !wasNudged) return nudge(sameResult(tool, [...same, past]));
  return turns === inTurns.nudgeAt ? nudge(takingTurns(turns, state)) : { state };
}

const isLike = (past: Past | undefined, { action, result }: Observed): boolean =>
  past?.action === action && past.result === result;

/** The earlier calls like this one, since its result last changed. */
function sameBefore(history: readonly Past[], call: Observed): readonly Past[] {
  const made = history.filter(({ action }) => action === call.action);
  return made.slice(made.findLastIndex(({ result }) => result !== call.result) + 1);
}

function turnsWith(history: readonly Past[], call: Observed): number {
  const previous = history.at(-1);
  if (!previous || previous.action === call.action) return 1;
  return isLike(history.at(-2), call) ? previous.turns + 1 : 2;
}

/** A polling tool is meant to be called repeatedly. */
const thresholds = (isPolling: boolean, { nudge, stop, global }: Numbers) =>
  isPolling ? { nudgeAt: stop, stopAt: global } : { nudgeAt: nudge, stopAt: stop };

interface Evidence {
  readonly count: number;
  readonly message: string;
  readonly evidence: readonly Past[];
}

const sameResult = (tool: string, evidence: readonly Past[]): Evidence => ({
  count: evidence.length,
  message: `the same call of ${tool} brought the same result ${evidence.length} times`,
  evidence,
});

const takingTurns = (count: number, { history }: Stagnation): Evidence => ({
  count,
  message: `two calls took turns, ${count} in all, each with the same result every time`,
  evidence: history.slice(-count),
});

const nothingNew = (count: number, { history }: Stagnation): Evidence => ({
  count,
  message: `${count} calls in a row brought nothing new`,
  evidence: history.slice(-count),
});

const findingOf = (level: Finding['level'], { count, message, evidence }: Evidence): Finding => ({
  detector: 'no-progress',
  level,
  count,
  message,
  evidence: [...new Set(evidence.map(({ asked }) => asked))].slice(-MAX_EVIDENCE),
});

export const noProgressKind = detectorKind({
  name: 'no-progress',
  row: 'D8',
  notices: 'calls bring nothing new: the same call with the same result, two calls in turn, or only known results',
  config: CONFIG,
  inDefault: true,
  countsCalls: true,
  create: (config, traits) => noProgress(config, traits),
});
