import type { IterationContext } from '../../../machines/iteration.machine.ts';
import { mostRounds } from '../../../machines/life.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { limitsWithin } from '../../config/caps.ts';
import { hasEnded, type RunState } from '../../kernel/fold.ts';
import { type Left, OUTSIDE, type Ranking } from '../../kernel/loop-ranking.ts';
import { interruptionOf } from '../../termination/external.ts';
import { endingLeft, lifeFalls, lifeLeft } from '../../termination/remaining.ts';

/** The result of the attempt, and the capture of its workspace. */
const SETTLED_AND_CAPTURED = 2;

export const iterationRanking: Ranking = {
  left: iterationLeft,
  // An attempt is not started again, so its interruption lowers the rank.
  outside: [interruptionOf('capture', 'checks')],
  below: (settings) => ({ kind: 'one a round', settings: attemptOf(settings) }),
  means: { rounds: 'decisions, and iterations that begin', work: 'attempts, captures and checks' },
  falls: {
    ...lifeFalls,
    'stream child.asked 0': OUTSIDE,
    'stream child.answered 0': OUTSIDE,
    'stream run.resumed 0': OUTSIDE,
    'stream iteration.started 0': 'rounds',
    'tools effect.interrupted 0': OUTSIDE,
    'verify.checking effect.interrupted 0': OUTSIDE,
    'decide.aborting child.settled 0': 'work',
    'decide.aborting workspace.captured 0': 'work',
    'decide.aborting workspace.failed 0': 'work',
    'decide.aborting verification.completed 0': 'work',
    'decide.aborting effect.interrupted 0': 'work',
  },
};

/** The limits of an attempt are its own, within those of its loop. */
const attemptOf = ({ limits, attemptLimits, ...settings }: RunSettings): RunSettings => ({
  ...settings,
  loop: 'turn',
  limits: limitsWithin(attemptLimits ?? limits, limits),
  attemptLimits: null,
  checks: [],
});

function iterationLeft(state: RunState): Left {
  const { snapshot } = state;
  const context = snapshot.context as IterationContext;
  if (hasEnded(state)) return {};
  if (snapshot.matches('decide.ending')) return endingLeft(state, context);
  const isUnbegun = context.isBeginning && snapshot.matches('stream');
  const now = isUnbegun ? { ...context, iterations: context.iterations + 1, warnings: 0 } : context;
  const roundsLeft = Math.max(0, mostRounds(now.limits.maxIterations, now.limits) - now.iterations);
  const { rounds, ...life } = lifeLeft(now, roundsLeft);
  const ofRound = SETTLED_AND_CAPTURED + checksOf(context);
  return { rounds: rounds + (isUnbegun ? 1 : 0), work: attemptLeft(state, now) + roundsLeft * ofRound, ...life };
}

const checksOf = ({ hasChecks, hasCi }: IterationContext): number => (hasChecks || hasCi ? 1 : 0);

/** The events left in the current attempt. */
function attemptLeft({ snapshot }: RunState, context: IterationContext): number {
  if (snapshot.matches('stream')) return SETTLED_AND_CAPTURED + checksOf(context);
  if (snapshot.matches('tools')) return 1 + (context.attempt?.succeeded ? checksOf(context) : 0);
  return Object.keys(context.pending).length;
}
