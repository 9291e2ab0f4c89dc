import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { answererOf, type CatalogueEntry } from '../../machines/index.ts';
import { fold, hasEnded, lifeOf, open, type Outstanding, refusalOf, type RunState } from '../runtime/fold.ts';
import { withKept } from '../runtime/kept.ts';
import type { Choice } from './choices.ts';
import { clock } from './clock.ts';
import type { World } from './world.ts';

/** One entry of a log, and the states around it. */
export interface Happening {
  readonly event: Recorded<LoopEvent>;
  /** The effect (`version/n`) that it answers, or the event that it follows from. */
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

/** Something that may happen, and the effect that it answers. */
export interface Move {
  readonly event: LoopEvent;
  readonly causation: string | null;
}

/** However many answers there are to choose from, no more than these are tried in vain. */
const MAX_TRIES = 8;

/** A run as chance would have it. The same choices give the same run; choices past its ending are refused. */
export function wander(loop: CatalogueEntry, world: World, opening: EventOf<'run.started'>, choices: readonly Choice[]): Wandering {
  const started = { ...opening, at: clock(0), version: 1 };
  const opened = open(started, [loop]);
  if (opened.kind !== 'opened') throw new Error(`the opening names ${opened.machine}, the loop is ${loop.id}`);
  const walk = new Walk(world, opened.state);
  for (const choice of choices) walk.go(choice);
  const { happenings, refused, state: last } = walk;
  return { started, first: opened.state, happenings, refused, last };
}

class Walk {
  readonly happenings: Happening[] = [];
  readonly refused: { event: Recorded<LoopEvent>; at: RunState }[] = [];
  state: RunState;
  readonly #world: World;
  #nowMs = 0;

  constructor(world: World, state: RunState) {
    this.#world = world;
    this.state = state;
  }

  go(choice: Choice): void {
    for (let time = 0; time < choice.times; time += 1) {
      this.#nowMs += choice.afterMs;
      if (!this.#happens(choice)) return;
    }
  }

  /** Takes the first way that the state takes, from the chosen one on, and what follows from it. */
  #happens(choice: Choice): boolean {
    const taken = waysOf(this.#world, this.state, choice).some((way) => this.#takes(way));
    const newest = this.happenings.at(-1);
    if (taken && newest) this.#follows(newest.event);
    return taken;
  }

  #follows(event: LoopEvent): void {
    const next = hasEnded(this.state) ? null : this.#world.follows(event, this.state);
    if (next && this.#takes({ event: next, causation: String(this.state.version) })) this.#follows(next);
  }

  #takes({ event, causation }: Move): boolean {
    const before = this.state;
    const recorded: Recorded<LoopEvent> = { ...withKept(event, lifeOf(before), before.entry), at: clock(this.#nowMs), version: before.version + 1 };
    if (refusalOf(before, recorded)) {
      this.refused.push({ event: recorded, at: before });
      return false;
    }
    this.state = fold(before, recorded);
    this.happenings.push({ event: recorded, causation, before, after: this.state });
    return true;
  }
}

/** What a choice means where a run stands: the ways that are tried, one after another. */
export function waysOf(world: World, state: RunState, { does, which }: Choice): Move[] {
  switch (does) {
    case 'answer':
      return answersOf(world, state, workOf(state), which);
    case 'clock':
      return answersOf(world, state, state.outstanding.filter((one) => isTimer(one, state)), which);
    case 'remark':
      return picked(world.remarks(state), which).map((event) => ({ event, causation: null }));
    case 'noise':
      return picked(world.noise, which).map((event) => ({ event, causation: answeredBy(event, state) })).filter(isHeard);
  }
}

function answersOf(world: World, state: RunState, effects: readonly Outstanding[], which: number): Move[] {
  const effect = effects[which % effects.length];
  if (!effect) return [];
  const answers = world.answers(effect, state);
  const answer = picked(answers, Math.floor(which / effects.length));
  const others = rotated([...new Set(answers)], which);
  return [...new Set([...answer, ...others])].slice(0, MAX_TRIES).map((event) => ({ event, causation: effect.effect }));
}

/** Those who work; where only clocks are waited for, the newest of them. */
function workOf(state: RunState): readonly Outstanding[] {
  const { outstanding } = state;
  const work = outstanding.filter((one) => !isTimer(one, state));
  return work.length > 0 ? work : outstanding.slice(-1);
}

/** Whoever says what an outstanding effect would have said has answered for it. */
function answeredBy(event: LoopEvent, { entry, outstanding }: RunState): string | null {
  const key = answererOf(entry, event);
  return outstanding.find((one) => one.key === key)?.effect ?? null;
}

/** A clock rings only where it was wound up: what else it says never reaches a machine. */
const isHeard = ({ event, causation }: Move): boolean => event.type !== 'timer.fired' || causation !== null;
/** What has a time when it is due. */
const isTimer = ({ key }: Outstanding, state: RunState): boolean => key in lifeOf(state).due;
const rotated = <Item>(items: readonly Item[], by: number): Item[] => [...items.slice(by % items.length), ...items.slice(0, by % items.length)];
const picked = <Item>(items: readonly Item[], which: number): Item[] => items.slice(which % items.length).slice(0, 1);
