import { type Life, MAX_WARNINGS_A_ROUND } from '../../machines/life.ts';
import type { RunState } from '../kernel/fold.ts';
import { OUTSIDE, type Ranking } from '../kernel/loop-ranking.ts';
import type { LoopEvent } from '../../machines/events.ts';

/** Events that users, hosts and other runs may send at any time, any number of times. */
const FROM_OUTSIDE: ReadonlySet<LoopEvent['type']> = new Set([
  'run.paused',
  'run.resumed',
  'run.steered',
  'run.continued',
  'run.migrated',
  'abort.requested',
  'child.asked',
  'child.answered',
  'grounds.approved',
  'grounds.denied',
]);

/**
 * Whether an event is external input: a run cannot cause it by itself, so it cannot keep a run going for ever. For its
 * own events the loop's ranking says so.
 */
export function isExternal(event: LoopEvent, { outside = [] }: Pick<Ranking, 'outside'>): boolean {
  return (
    FROM_OUTSIDE.has(event.type) || outside.some((one) => (typeof one === 'string' ? one === event.type : one(event)))
  );
}

/**
 * Marks the interruption of the effects under these keys as external input: a pause or a crash interrupted them, and
 * they are started again.
 *
 * @example
 * outside: ['review.interrupted', interruptionOf('capture', 'checks')],
 */
export const interruptionOf =
  (...keys: readonly string[]) =>
  ({ type, payload }: LoopEvent): boolean =>
    type === 'effect.interrupted' && keys.includes(payload.actor);

// The parts of a ranking that every loop shares.

/** The decision to continue, and the event that begins the round. */
const DECIDED_AND_BEGUN = 2;
/** The summary, and the end of the strategy. */
const FINAL_EVENTS = 2;

/** The events left in the shared parts of a run. `roundsLeft`: rounds that no decision has begun yet. */
export function lifeLeft(life: Life, roundsLeft: number) {
  return {
    rounds: roundsLeft * DECIDED_AND_BEGUN + 1 + baselineLeft(life),
    warnings: MAX_WARNINGS_A_ROUND - life.warnings + roundsLeft * MAX_WARNINGS_A_ROUND,
    deadline: life.deadlinePassed ? 0 : 1,
    ending: FINAL_EVENTS,
  };
}

/** The decision for the checks on the base, and their result: once they run, they count as work that is pending. */
const baselineLeft = ({ baseline }: Life): number => (baseline === 'owed' ? 2 : 0);

/** The checks after a ruling on changed grounds: once in a round, and only where checks prove the work. */
export const checkedAgain = ({ baseline, dispute }: Pick<Life, 'baseline' | 'dispute'>): number =>
  baseline === null || dispute?.isRuled ? 0 : 1;

/**
 * The events left once the verdict is final: warnings, and the events of the ending. Only the ending's timer still
 * counts.
 */
export const endingLeft = ({ snapshot }: RunState, { warnings }: Life) => ({
  warnings: MAX_WARNINGS_A_ROUND - warnings,
  ending: snapshot.matches('decide.ending.summarising') ? FINAL_EVENTS : 1,
});

/** A description of each shared kind. */
export const LIFE_MEANS: Readonly<Record<string, string>> = {
  rounds: 'decisions, and rounds that begin',
  warnings: 'warnings',
  deadline: 'the deadline',
  ending: 'the final events',
};

/** The part of the rank that falls on each transition that every loop has. */
export const lifeFalls: Ranking['falls'] = {
  'anywhere abort.requested 0': OUTSIDE,
  'anywhere timer.fired 0': 'deadline',
  'anywhere run.paused 0': OUTSIDE,
  'anywhere run.resumed 0': OUTSIDE,
  'anywhere run.steered 0': OUTSIDE,
  'anywhere warning.raised 0': 'warnings',
  'verify.baseline effect.interrupted 0': OUTSIDE,
  'decide.judging decision.made 0': 'rounds',
  'decide.judging decision.made 1': 'rounds',
  'decide.judging run.continued 0': OUTSIDE,
  'decide.aborting abort.requested 0': OUTSIDE,
  'decide.aborting timer.fired 1': 'deadline',
  'decide.ending timer.fired 0': 'ending',
};

/** The part of the rank of a loop that asks a person about changed grounds. */
export const disputeFalls: Ranking['falls'] = {
  'verify.disputed grounds.approved 0': OUTSIDE,
  'verify.disputed grounds.denied 0': OUTSIDE,
  'verify.disputed run.resumed 0': OUTSIDE,
  'verify.disputed effect.interrupted 0': OUTSIDE,
};
