import { mostRounds } from 'loopfold/machines';
import { endingLeft, interruptionOf, lifeFalls, lifeLeft, OUTSIDE, type Ranking, type RunState } from 'loopfold';
import type { ReviewedContext } from './reviewed.machine.ts';

/** The end of an attempt, its capture, its checks and its review. */
const WORK_A_ROUND = 4;

/** Why a reviewed loop ends: every event except external input lowers one of these numbers. */
export const ranking: Ranking = {
  left(state: RunState) {
    const { snapshot } = state;
    const context: ReviewedContext = snapshot.context;
    if (snapshot.status !== 'active') return {};
    if (snapshot.matches('decide.ending')) return endingLeft(state, context);
    const begins = context.isBeginning && snapshot.matches('stream') ? 1 : 0;
    const now = begins ? { ...context, warnings: 0 } : context;
    const roundsLeft = Math.max(0, mostRounds(now.limits.maxIterations, now.limits) - now.iterations - begins);
    const { rounds, ...life } = lifeLeft(now, roundsLeft);
    return { rounds: rounds + begins, work: workLeft(state) + roundsLeft * WORK_A_ROUND, ...life };
  },
  means: { rounds: 'decisions, and iterations that begin', work: 'attempts, captures, checks and reviews' },
  falls: {
    ...lifeFalls,
    'stream iteration.started 0': 'rounds',
    'tools effect.interrupted 0': OUTSIDE,
    'verify.checking effect.interrupted 0': OUTSIDE,
    'verify.reviewing review.interrupted 0': OUTSIDE,
    'decide.aborting child.settled 0': 'work',
    'decide.aborting workspace.captured 0': 'work',
    'decide.aborting workspace.failed 0': 'work',
    'decide.aborting baseline.taken 0': 'work',
    'decide.aborting verification.completed 0': 'work',
    'decide.aborting review.given 0': 'work',
    'decide.aborting review.failed 0': 'work',
    'decide.aborting review.interrupted 0': OUTSIDE,
    'decide.aborting effect.interrupted 0': 'work',
    'decide.ending abort.requested 0': OUTSIDE,
    'decide.ending timer.fired 1': 'deadline',
  },
  outside: ['review.interrupted', interruptionOf('capture', 'checks')],
};

/** The events left in the current attempt. */
function workLeft({ snapshot }: RunState): number {
  if (snapshot.matches('stream')) return WORK_A_ROUND;
  if (snapshot.matches('tools')) return 3;
  if (snapshot.matches('verify.checking')) return 2;
  if (snapshot.matches('verify.reviewing')) return 1;
  return Object.keys(snapshot.context.pending).length;
}
