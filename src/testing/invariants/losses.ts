import { answererOf } from '../../../machines/index.ts';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { fold, hasEnded, type Outstanding, refusalOf, type RunState } from '../../kernel/fold.ts';
import { interruption } from '../../kernel/run-message.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { placeOf } from '../../kernel/position.ts';
import type { Happening } from '../random-walk.ts';
import { type Invariant, InvariantBroken, same } from './invariant.ts';

/**
 * A crash, a pause or an abort comes at any time. Without this invariant a run could wait for ever for an effect that
 * no longer runs.
 */
export const takesInterruptions: Invariant = {
  name: 'the event of a lost effect is accepted wherever the effect is outstanding, and completes it',
  looks: 'always',
  check({ first, happenings }, loop) {
    const seen = new Set<string>();
    for (const state of [first, ...happenings.map(({ after }) => after)]) {
      if (hasEnded(state)) continue;
      for (const one of state.outstanding) {
        const where = `${one.effect} ${one.told} ${placeOf(state.snapshot)}`;
        if (!seen.has(where)) isTaken(state, one, loop);
        seen.add(where);
      }
    }
  },
};

function isTaken(state: RunState, one: Outstanding, loop: LoopDefinition): void {
  const event = interruption(one, LOST, null, loop);
  if (event === null) return;
  const { key, effect } = one;
  const what = `${event.type}, recorded for ${key} where it is lost in ${placeOf(state.snapshot)},`;
  const recorded: Recorded<LoopEvent> = { ...event, at: state.at, version: state.version + 1 };
  same(state.version, `the effect that ${what} answers`, answererOf(loop, event), key);
  const because = refusalOf(state, recorded);
  if (because !== null)
    throw new InvariantBroken(state.version, `what ${what} meets`, because, 'a transition that takes it');
  const after = fold(state, recorded);
  same(
    state.version,
    `${effect} still outstanding after ${what}`,
    after.outstanding.some((other) => other.effect === effect),
    false,
  );
}

const LOST = 'the process that ran it is gone';

/** An interrupted attempt has not declared its work finished, so its work is not verified. */
export const lostIsNoSuccess: Invariant = {
  name: 'a lost attempt is not a success',
  looks: 'always',
  check({ happenings }, loop) {
    const round = new Round(loop);
    for (const happening of happenings) {
      round.observe(happening);
      const { event, after } = happening;
      if (!round.isLost || !placeOf(after.snapshot).startsWith('verify.')) continue;
      const checked = after.outstanding
        .filter(({ effect }) => effect.startsWith(`${after.version}/`))
        .map(({ key }) => key);
      if (checked.length === 0) continue;
      throw new InvariantBroken(
        event.version,
        'what verifies an attempt that was cut short',
        checked,
        'nothing: such an attempt has failed',
      );
    }
  },
};

/** Whether every attempt of the newest round was interrupted, from its events alone. */
export class Round {
  readonly #loop: LoopDefinition;
  #lost = 0;
  #answered = 0;

  constructor(loop: LoopDefinition) {
    this.#loop = loop;
  }

  get isLost(): boolean {
    return this.#lost > 0 && this.#answered === 0;
  }

  observe({ event, causation, before, after }: Happening): void {
    if (event.type === this.#loop.rounds.started) {
      this.#lost = 0;
      this.#answered = 0;
    }
    if (!isAttempting(before)) return;
    const one = before.outstanding.find(({ effect }) => effect === causation);
    if (!one || one.told || interruption(one, LOST, null, this.#loop) === null) return;
    const isCutShort = event.type === interruption(one, LOST, null, this.#loop)?.type;
    // An effect that is started again is not lost.
    if (isCutShort && isAttempting(after)) return;
    if (isCutShort) this.#lost += 1;
    else this.#answered += 1;
  }
}

const isAttempting = ({ snapshot }: RunState): boolean => `${placeOf(snapshot)}.`.startsWith('stream.');
