import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { answererOf, type CatalogueEntry } from '../../machines/index.ts';
import { fold, hasEnded, lifeOf, open, type Outstanding, refusalOf, type RunState } from '../kernel/fold.ts';
import { withUnsettledReservation } from '../kernel/reservation-without-end.ts';
import type { Choice } from './choices.ts';
import { timeAt } from './proof-time.ts';
import type { ProofEnvironment } from './proof-environment.ts';

/** One recorded event, and the states before and after it. */
export interface Happening {
  readonly event: Recorded<LoopEvent>;
  /** The effect (`version/n`) that it answers, or the version of the event that it follows. */
  readonly causation: string | null;
  readonly before: RunState;
  readonly after: RunState;
}

export interface RandomWalk {
  readonly started: Recorded<EventOf<'run.started'>>;
  readonly first: RunState;
  readonly happenings: readonly Happening[];
  /** Events that were refused, and the states that refused them. */
  readonly refused: readonly { readonly event: Recorded<LoopEvent>; readonly at: RunState }[];
  readonly last: RunState;
}

/** A possible next event, and the effect that it answers. */
export interface Move {
  readonly event: LoopEvent;
  readonly causation: string | null;
}

/** At most so many refused answers are tried for one choice. */
const MAX_TRIES = 8;

/** Walks a run by choices. The same choices give the same walk; choices past its ending are refused. */
export function randomWalk(
  loop: CatalogueEntry,
  environment: ProofEnvironment,
  opening: EventOf<'run.started'>,
  choices: readonly Choice[],
): RandomWalk {
  const started = { ...opening, at: timeAt(0), version: 1 };
  const opened = open(started, [loop]);
  if (opened.kind !== 'opened') throw new Error(`the opening names ${opened.machine}, the loop is ${loop.id}`);
  const walk = new Walk(environment, opened.state);
  for (const choice of choices) walk.go(choice);
  const { happenings, refused, state: last } = walk;
  return { started, first: opened.state, happenings, refused, last };
}

class Walk {
  readonly happenings: Happening[] = [];
  readonly refused: { event: Recorded<LoopEvent>; at: RunState }[] = [];
  state: RunState;
  readonly #environment: ProofEnvironment;
  #nowMs = 0;

  constructor(environment: ProofEnvironment, state: RunState) {
    this.#environment = environment;
    this.state = state;
  }

  go(choice: Choice): void {
    for (let time = 0; time < choice.times; time += 1) {
      this.#nowMs += choice.afterMs;
      if (!this.#move(choice)) return;
    }
  }

  /** Takes the first move that the state accepts, from the chosen one on, and the events that follow from it. */
  #move(choice: Choice): boolean {
    const taken = movesOf(this.#environment, this.state, choice).some((move) => this.#takes(move));
    const newest = this.happenings.at(-1);
    if (taken && newest) this.#follows(newest.event);
    return taken;
  }

  #follows(event: LoopEvent): void {
    const next = hasEnded(this.state) ? null : this.#environment.follows(event, this.state);
    if (next && this.#takes({ event: next, causation: String(this.state.version) })) this.#follows(next);
  }

  #takes({ event, causation }: Move): boolean {
    const before = this.state;
    const recorded: Recorded<LoopEvent> = {
      ...withUnsettledReservation(event, lifeOf(before), before.entry),
      at: timeAt(this.#nowMs),
      version: before.version + 1,
    };
    if (refusalOf(before, recorded)) {
      this.refused.push({ event: recorded, at: before });
      return false;
    }
    this.state = fold(before, recorded);
    this.happenings.push({ event: recorded, causation, before, after: this.state });
    return true;
  }
}

/** The moves that a choice stands for in a state, in the order in which they are tried. */
export function movesOf(environment: ProofEnvironment, state: RunState, { does, which }: Choice): Move[] {
  switch (does) {
    case 'answer':
      return answersOf(environment, state, workOf(state), which);
    case 'clock':
      return answersOf(
        environment,
        state,
        state.outstanding.filter((one) => isTimer(one, state)),
        which,
      );
    case 'remark':
      return picked(environment.remarks(state), which).map((event) => ({ event, causation: null }));
    case 'noise':
      return picked(environment.noise, which)
        .map((event) => ({ event, causation: answeredBy(event, state) }))
        .filter(isDelivered);
  }
}

function answersOf(
  environment: ProofEnvironment,
  state: RunState,
  effects: readonly Outstanding[],
  which: number,
): Move[] {
  const effect = effects[which % effects.length];
  if (!effect) return [];
  const answers = environment.answers(effect, state);
  const answer = picked(answers, Math.floor(which / effects.length));
  const others = rotated([...new Set(answers)], which);
  return [...new Set([...answer, ...others])].slice(0, MAX_TRIES).map((event) => ({ event, causation: effect.effect }));
}

/** The outstanding effects that are no timers; where only timers are outstanding, the newest of them. */
function workOf(state: RunState): readonly Outstanding[] {
  const { outstanding } = state;
  const work = outstanding.filter((one) => !isTimer(one, state));
  return work.length > 0 ? work : outstanding.slice(-1);
}

/** The outstanding effect that an event answers. An event of the right type counts as its answer. */
function answeredBy(event: LoopEvent, { entry, outstanding }: RunState): string | null {
  const key = answererOf(entry, event);
  return outstanding.find((one) => one.key === key)?.effect ?? null;
}

/** A timer fires only while it is outstanding: the runtime never delivers it otherwise. */
const isDelivered = ({ event, causation }: Move): boolean => event.type !== 'timer.fired' || causation !== null;
/** Timers are the effects with a due time. */
const isTimer = ({ key }: Outstanding, state: RunState): boolean => key in lifeOf(state).due;
const rotated = <Item>(items: readonly Item[], by: number): Item[] => [
  ...items.slice(by % items.length),
  ...items.slice(0, by % items.length),
];
const picked = <Item>(items: readonly Item[], which: number): Item[] => items.slice(which % items.length).slice(0, 1);
