import type { IterationContext } from '../../../machines/iteration.machine.ts';
import { mostRounds } from '../../../machines/life.ts';
import { hasEnded, type RunState } from '../../kernel/fold.ts';
import { type Left, OUTSIDE, type Ranking } from '../../kernel/loop-ranking.ts';
import { checkedAgain, disputeFalls, endingLeft } from '../../termination/life-left.ts';
import {
  attemptBelow,
  attemptFalls,
  attemptsLeft,
  checkingLeft,
  checksOf,
  pendingOf,
  workStartedAgain,
} from '../attempt-ranking.ts';

/** The result of the attempt, and the capture of its workspace. */
const SETTLED_AND_CAPTURED = 2;

/** Why a loop of attempts ends. */
export const iterationRanking: Ranking = {
  left: iterationLeft,
  outside: [workStartedAgain],
  below: attemptBelow,
  means: { rounds: 'decisions, and iterations that begin', work: 'attempts, captures and checks' },
  falls: {
    ...attemptFalls,
    ...disputeFalls,
    'stream child.asked 0': OUTSIDE,
    'stream child.answered 0': OUTSIDE,
    'stream run.resumed 0': OUTSIDE,
  },
};

function iterationLeft(state: RunState): Left {
  const { snapshot } = state;
  if (hasEnded(state)) return {};
  if (snapshot.matches('decide.ending')) return endingLeft(state, snapshot.context as IterationContext);
  return attemptsLeft<IterationContext>(state, {
    mostRounds: ({ limits }) => mostRounds(limits.maxIterations, limits),
    ofThis: (context) => attemptLeft(state, context),
    ofNext: (context) => SETTLED_AND_CAPTURED + checksOf(context),
  });
}

/** The events left in the current attempt. */
function attemptLeft({ snapshot }: RunState, context: IterationContext): number {
  if (snapshot.matches('stream')) return SETTLED_AND_CAPTURED + checksOf(context);
  if (snapshot.matches('tools')) return 1 + (context.attempt?.succeeded ? checksOf(context) : 0);
  if (snapshot.matches('verify.checking')) return checkingLeft(context);
  if (snapshot.matches('verify.disputed')) return checkedAgain(context);
  return pendingOf(context);
}
