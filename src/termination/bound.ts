import type { EventOf } from '../../machines/events.ts';
import { mostRounds } from '../../machines/life.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import { LIMIT_OF } from '../budget/limit-use.ts';
import { open, type RunState } from '../kernel/fold.ts';
import { type LoopDefinition, newestOf } from '../kernel/loop-definition.ts';
import { type Below, type Ceiling, type Ranking, sumOf } from '../kernel/loop-ranking.ts';
import { LIFE_MEANS } from './life-left.ts';

/**
 * The most events that a run can still take without external input. Infinity where nothing bounds it.
 *
 * @example
 * rankOf(state, rankingOf(loop)); // 341
 */
export const rankOf = (state: RunState, ranking: Ranking): number => sumOf(ranking.left(state));

/** The ranking of a loop. Throws where its definition has none. */
export function rankingOf({ id, ranking }: Pick<LoopDefinition, 'id' | 'ranking'>): Ranking {
  if (ranking) return ranking;
  throw new Error(`${id} does not say why its runs end: add a \`ranking\` to its definition`);
}

/** The most events and rounds of a run. Numbers are Infinity where nothing bounds them. */
export interface Bound {
  readonly loop: RunSettings['loop'];
  readonly rounds: number;
  /** The limit, or the option, that bounds the rounds; null where none does. */
  readonly boundBy: string | null;
  /** Why it is not the limit of the rounds, as a clause. Absent: it is a limit. */
  readonly because?: string;
  /** Events of the run itself, after its first, by kind. They add up to `events`. */
  readonly parts: readonly Part[];
  readonly events: number;
  /** The bound of the run that each round opens. Null where rounds open none. */
  readonly attempt: Bound | null;
  /** The run and all its descendants. */
  readonly tree: { readonly runs: number; readonly events: number };
}

/** Events of one kind, with a description of the kind. */
export interface Part {
  readonly kind: string;
  readonly means: string;
  readonly events: number;
}

/**
 * The most events that a run with these settings takes after its first, without external input: pauses, resumptions,
 * steering and answers of users, aborts. Infinity where nothing bounds it.
 *
 * @example
 * boundOf(settings, loops); // 5420
 */
export const boundOf = (settings: RunSettings, loops: readonly LoopDefinition[]): number =>
  boundReport(settings, loops).events;

/**
 * The same by kind of event, with the bounds of the descendants. `loops`: the loop of the run, and those of its
 * descendants.
 */
export function boundReport(settings: RunSettings, loops: readonly LoopDefinition[]): Bound {
  const definition = newestOf(settings.loop, loops);
  if (!definition) throw new Error(`no loop ${settings.loop}; known: ${loops.map(({ id }) => id).join(', ')}`);
  const begun = (other: RunSettings) => opened(definition, other);
  const ranking = rankingOf(definition);
  const first = begun(settings);
  const parts = partsLeft(definition, first);
  const events = parts.reduce((sum, part) => sum + part.events, 0);
  const own = {
    loop: settings.loop,
    ...roundsOf(definition, settings.limits, ranking.ceiling?.(first) ?? null),
    parts,
    events,
  };
  return { ...own, ...withBelow(own, ranking.below?.(settings, begun), loops) };
}

/** The most rounds, and what bounds them. */
function roundsOf(
  { rounds: { limit }, settings }: LoopDefinition,
  limits: Limits,
  ceiling: Ceiling | null,
): Pick<Bound, 'rounds' | 'boundBy' | 'because'> {
  const cap = LIMIT_OF[limit];
  const bounds = settings?.bounds ?? [cap];
  if (!ceiling) return { rounds: mostRounds(limits[cap], limits), boundBy: smallest(bounds, limits) };
  const rounds = mostRounds(ceiling.rounds, limits);
  if (rounds < ceiling.rounds)
    return {
      rounds,
      boundBy: smallest(
        bounds.filter((name) => name !== cap),
        limits,
      ),
    };
  return { rounds, boundBy: ceiling.name, because: ceiling.because };
}

/** The events that a run can still take, by kind. */
export function partsLeft(loop: LoopDefinition, state: RunState): Part[] {
  const { left, means = {} } = rankingOf(loop);
  return Object.entries(left(state)).map(([kind, events]) => ({
    kind,
    means: means[kind] ?? LIFE_MEANS[kind] ?? kind,
    events,
  }));
}

function withBelow(
  own: Pick<Bound, 'rounds' | 'events'>,
  below: Below | undefined,
  loops: readonly LoopDefinition[],
): Pick<Bound, 'attempt' | 'tree'> {
  if (!below) return { attempt: null, tree: { runs: 1, events: own.events } };
  if (below.kind === 'in all') return { attempt: null, tree: { runs: below.runs, events: below.events } };
  const attempt = boundReport(below.settings, loops);
  const { runs, events } = attempt.tree;
  // Each child also has an event for its start.
  return { attempt, tree: { runs: 1 + own.rounds * runs, events: own.events + own.rounds * (events + 1) } };
}

/** The first state of a run with these settings. */
function opened(loop: LoopDefinition, settings: RunSettings): RunState {
  const { id } = loop;
  const started: EventOf<'run.started'> = { type: 'run.started', payload: { machine: id, settings } };
  const result = open({ ...started, at: new Date(0).toISOString(), version: 1 }, [loop]);
  if (result.kind !== 'opened') throw new Error(`${id} does not open its own run`);
  return result.state;
}

function smallest(candidates: readonly (keyof Limits)[], limits: Limits): keyof Limits | null {
  const set = candidates.filter((name) => limits[name] != null);
  return set.toSorted((one, other) => Number(limits[one]) - Number(limits[other]))[0] ?? null;
}
