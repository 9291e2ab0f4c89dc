import type { EventOf } from '../../machines/events.ts';
import { newest } from '../../machines/index.ts';
import { mostRounds } from '../../machines/life.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import { limitsWithin } from '../config/caps.ts';
import { lifeOf, open, type RunState } from '../runtime/fold.ts';
import { sharedAmong } from './handed-over.ts';
import { rankingOf, rankOf } from './rank.ts';
import { sumOf } from '../runtime/ranking.ts';
import { lifeLeft } from './remaining.ts';

/** What a loop of attempts, or a turn, can come to at most. Numbers are Infinity where nothing bounds them. */
export interface Bound {
  readonly loop: RunSettings['loop'];
  /** Steps of a turn, or iterations. */
  readonly rounds: number;
  /** The limit that allows no more of them; null where none does. */
  readonly boundBy: keyof Limits | null;
  /** Events of the run itself, after its first, by what they tell of. They add up to `events`. */
  readonly parts: readonly { readonly kind: string; readonly means: string; readonly events: number }[];
  readonly events: number;
  /** One attempt of it, a run of its own. */
  readonly attempt: Bound | null;
  /** The run and all below it: attempts, and work that their models hand over. */
  readonly tree: { readonly runs: number; readonly events: number };
}

/**
 * The largest number of events that a run with these settings takes after its first, without input from outside: pauses,
 * resumptions, words and answers of people, aborts. Infinity where nothing bounds it.
 *
 * @example
 * boundOf(settings); // 5420
 */
export const boundOf = (settings: RunSettings): number => boundReport(settings).events;

/** The same with what it is made of, and what the runs below it come to. */
export function boundReport(settings: RunSettings): Bound {
  const { loop, limits } = settings;
  const left = rankingOf(machineOf(loop)).left(opened(settings));
  const parts = Object.entries(left).map(([kind, events]) => ({ kind, means: MEANS[loop]?.[kind] ?? kind, events }));
  const cap = loop === 'turn' ? 'maxSteps' : 'maxIterations';
  const rounds = mostRounds(limits[cap], limits);
  const own = { loop, rounds, boundBy: boundBy([cap, 'maxTokens', 'maxTimeMs'], limits), parts, events: sumOf(left) };
  if (loop === 'turn') return { ...own, attempt: null, tree: turnTree(settings, own.events) };
  const attempt = boundReport(attemptOf(settings));
  const { runs, events } = attempt.tree;
  return { ...own, attempt, tree: { runs: 1 + rounds * runs, events: own.events + rounds * (events + 1) } };
}

/** A turn whose model hands work over, with all who do it. */
function turnTree(settings: RunSettings, events: number): Bound['tree'] {
  if (!settings.tools.includes(HANDS_OVER) || settings.limits.maxSteps === 0) return { runs: 1, events };
  const { steps, calls } = sharedAmong(settings.limits);
  const limits = { ...settings.limits, maxSteps: steps, maxToolCalls: calls, maxTokens: null, maxTimeMs: null };
  const all = opened({ ...settings, limits });
  // Each opens and ends for itself.
  const ofEach = 1 + sumOf(lifeLeft(lifeOf(all), 0));
  return { runs: 1 + calls, events: rankOf(all) + calls * ofEach };
}

/** The tool by which a model hands work over. */
const HANDS_OVER = 'delegate';

const machineOf = (loop: string): string => Object.entries(newest).find(([name]) => name === loop)?.[1] ?? loop;

type Words = Readonly<Record<string, string>>;
const LIFE: Words = {
  warnings: 'warnings',
  deadline: 'the deadline',
  ending: 'last words',
};
const MEANS: Readonly<Record<string, Words>> = {
  turn: {
    rounds: 'decisions, and steps that begin',
    waits: 'rate limits, and the waits for them',
    retries: 'failed tries, and other models',
    compactions: 'a full conversation, and its summary',
    work: 'answers, calls and checks',
    ...LIFE,
  },
  iteration: { rounds: 'decisions, and iterations that begin', work: 'attempts, captures and checks', ...LIFE },
};

function opened(settings: RunSettings): RunState {
  const machine = machineOf(settings.loop);
  const started: EventOf<'run.started'> = { type: 'run.started', payload: { machine, settings } };
  const result = open({ ...started, at: new Date(0).toISOString(), version: 1 });
  if (result.kind !== 'opened') throw new Error(`the catalogue lacks its own newest machine ${machine}`);
  return result.state;
}

/** The limits of an attempt are its own, within those of its loop. */
const attemptOf = ({ limits, attemptLimits, ...settings }: RunSettings): RunSettings => ({
  ...settings,
  loop: 'turn',
  limits: limitsWithin(attemptLimits ?? limits, limits),
  attemptLimits: null,
  checks: [],
});

function boundBy(candidates: readonly (keyof Limits)[], limits: Limits): keyof Limits | null {
  const set = candidates.filter((name) => limits[name] != null);
  return set.toSorted((one, other) => Number(limits[one]) - Number(limits[other]))[0] ?? null;
}
