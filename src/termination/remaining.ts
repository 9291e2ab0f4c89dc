import { type Life, MAX_WARNINGS_A_ROUND } from '../../machines/life.ts';
import type { RunState } from '../runtime/fold.ts';
import { OUTSIDE, type Ranking } from '../runtime/ranking.ts';

// What is left of a run of any loop.

/** A decision to go on, and the fact that begins the round. */
const DECIDED_AND_BEGUN = 2;
/** A summary, and the strategy's farewell. */
const LAST_WORDS = 2;

/** `roundsLeft`: those that no decision has begun yet. */
export function lifeLeft(life: Life, roundsLeft: number) {
  return {
    rounds: roundsLeft * DECIDED_AND_BEGUN + 1,
    warnings: MAX_WARNINGS_A_ROUND - life.warnings + roundsLeft * MAX_WARNINGS_A_ROUND,
    deadline: life.deadlinePassed ? 0 : 1,
    ending: LAST_WORDS,
  };
}

/** Nothing changes the verdict now: no clock but that of the ending is heard. */
export const endingLeft = ({ snapshot }: RunState, { warnings }: Life) => ({
  warnings: MAX_WARNINGS_A_ROUND - warnings,
  ending: snapshot.matches('decide.ending.summarising') ? LAST_WORDS : 1,
});

/** What these kinds count, in words. */
export const LIFE_MEANS: Readonly<Record<string, string>> = {
  rounds: 'decisions, and rounds that begin',
  warnings: 'warnings',
  deadline: 'the deadline',
  ending: 'last words',
};

/** What falls on the transitions that every loop has. */
export const lifeFalls: Ranking['falls'] = {
  'anywhere abort.requested 0': OUTSIDE,
  'anywhere timer.fired 0': 'deadline',
  'anywhere run.paused 0': OUTSIDE,
  'anywhere run.resumed 0': OUTSIDE,
  'anywhere run.steered 0': OUTSIDE,
  'anywhere warning.raised 0': 'warnings',
  'decide.judging decision.made 0': 'rounds',
  'decide.judging run.continued 0': OUTSIDE,
  'decide.aborting abort.requested 0': OUTSIDE,
  'decide.aborting timer.fired 1': 'deadline',
  'decide.ending timer.fired 0': 'ending',
};
