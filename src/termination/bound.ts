import type { EventOf } from '../../machines/events.ts';
import { mostRounds } from '../../machines/life.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import { LIMIT_OF } from '../budget/reached.ts';
import { open, type RunState } from '../runtime/fold.ts';
import { type LoopDefinition, newestOf } from '../runtime/loop-definition.ts';
import type { Below } from '../runtime/ranking.ts';
import { rankingOf } from './rank.ts';
import { LIFE_MEANS } from './remaining.ts';

/** What a run can come to at most. Numbers are Infinity where nothing bounds them. */
export interface Bound {
  readonly loop: RunSettings['loop'];
  readonly rounds: number;
  /** The limit that allows no more of them; null where none does. */
  readonly boundBy: keyof Limits | null;
  /** Events of the run itself, after its first, by what they tell of. They add up to `events`. */
  readonly parts: readonly Part[];
  readonly events: number;
  /** The run that each round opens, where one does. */
  readonly attempt: Bound | null;
  /** The run and all below it. */
  readonly tree: { readonly runs: number; readonly events: number };
}

/** Events of one kind, and what they tell of in words. */
export interface Part {
  readonly kind: string;
  readonly means: string;
  readonly events: number;
}

/**
 * The largest number of events that a run with these settings takes after its first, without input from outside: pauses,
 * resumptions, words and answers of people, aborts. Infinity where nothing bounds it.
 *
 * @example
 * boundOf(settings, loops); // 5420
 */
export const boundOf = (settings: RunSettings, loops: readonly LoopDefinition[]): number => boundReport(settings, loops).events;

/** The same with what it is made of, and what the runs below it come to. `loops`: its own, and those of the runs below it. */
export function boundReport(settings: RunSettings, loops: readonly LoopDefinition[]): Bound {
  const definition = newestOf(settings.loop, loops);
  if (!definition) throw new Error(`no loop ${settings.loop}; known: ${loops.map(({ id }) => id).join(', ')}`);
  const { loop, limits } = settings;
  const begun = (other: RunSettings) => opened(definition, other);
  const parts = partsLeft(definition, begun(settings));
  const cap = LIMIT_OF[definition.rounds.limit];
  const rounds = mostRounds(limits[cap], limits);
  const boundBy = smallest(definition.settings?.bounds ?? [cap], limits);
  const events = parts.reduce((sum, part) => sum + part.events, 0);
  const own = { loop, rounds, boundBy, parts, events };
  return { ...own, ...withBelow(own, rankingOf(definition).below?.(settings, begun), loops) };
}

/** The events that a run can still take, by what they tell of. */
export function partsLeft(loop: LoopDefinition, state: RunState): Part[] {
  const { left, means = {} } = rankingOf(loop);
  return Object.entries(left(state)).map(([kind, events]) => ({ kind, means: means[kind] ?? LIFE_MEANS[kind] ?? kind, events }));
}

function withBelow(own: Pick<Bound, 'rounds' | 'events'>, below: Below | undefined, loops: readonly LoopDefinition[]): Pick<Bound, 'attempt' | 'tree'> {
  if (!below) return { attempt: null, tree: { runs: 1, events: own.events } };
  if (below.kind === 'in all') return { attempt: null, tree: { runs: below.runs, events: below.events } };
  const attempt = boundReport(below.settings, loops);
  const { runs, events } = attempt.tree;
  // Each of them begins with an event of its own.
  return { attempt, tree: { runs: 1 + own.rounds * runs, events: own.events + own.rounds * (events + 1) } };
}

/** A run as it is begun with these settings. */
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
