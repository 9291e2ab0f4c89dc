import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { fold, open, type RunState } from '../runtime/fold.ts';
import { refusal } from '../runtime/step.ts';
import type { World } from './world.ts';

/** One entry of a log, and the states around it. */
export interface Happening {
  readonly event: Recorded<LoopEvent>;
  /** The effect (`version/n`) that it answers. */
  readonly causation: string | null;
  readonly before: RunState;
  readonly after: RunState;
}

export interface Wandering {
  readonly started: Recorded<EventOf<'run.started'>>;
  readonly first: RunState;
  readonly happenings: readonly Happening[];
  /** What was tried in vain, and where. */
  readonly refused: readonly { readonly event: Recorded<LoopEvent>; readonly at: RunState }[];
  readonly last: RunState;
}

/** What chance does next, and which of the possible ways. */
export interface Choice {
  readonly does: 'answer' | 'remark' | 'noise';
  /** Modulo the number of what there is to choose from. */
  readonly which: number;
  /** Since the event before. */
  readonly afterMs: number;
}

interface Move {
  readonly event: LoopEvent;
  readonly causation: string | null;
}

const BEGAN_AT = Date.UTC(2026, 2, 1, 12);
const timeAfter = (ms: number): string => new Date(BEGAN_AT + ms).toISOString();

/** A run as chance would have it. The same choices give the same run; choices past its ending are refused. */
export function wander(loop: CatalogueEntry, world: World, opening: EventOf<'run.started'>, choices: readonly Choice[]): Wandering {
  const started = { ...opening, at: timeAfter(0), version: 1 };
  const opened = open(started, [loop]);
  if (opened.kind !== 'opened') throw new Error(`the opening names ${opened.machine}, the loop is ${loop.id}`);
  const happenings: Happening[] = [];
  const refused: { event: Recorded<LoopEvent>; at: RunState }[] = [];
  let state = opened.state;
  let now = 0;
  for (const choice of choices) {
    now += choice.afterMs;
    for (let move = chosen(world, state, choice); move; move = following(world, move.event, state)) {
      const event: Recorded<LoopEvent> = { ...move.event, at: timeAfter(now), version: state.version + 1 };
      if (refusal(state.snapshot, event)) {
        refused.push({ event, at: state });
        break;
      }
      const after = fold(state, event);
      happenings.push({ event, causation: move.causation, before: state, after });
      state = after;
    }
  }
  return { started, first: opened.state, happenings, refused, last: state };
}

function chosen(world: World, state: RunState, { does, which }: Choice): Move | null {
  if (does === 'remark') return unasked(pick(world.remarks, which));
  if (does === 'noise') return unasked(pick(world.noise, which));
  const effect = pick(state.outstanding, which);
  const event = effect && pick(world.answers(effect, state), Math.floor(which / state.outstanding.length));
  return effect && event ? { event, causation: effect.effect } : null;
}

function following(world: World, event: LoopEvent, state: RunState): Move | null {
  const next = world.follows(event, state);
  return next && { event: next, causation: String(state.version) };
}

const unasked = (event: LoopEvent | undefined): Move | null => (event ? { event, causation: null } : null);
const pick = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % items.length];
