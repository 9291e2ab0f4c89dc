import { type ContestContext, type ContestLane, mostAttempts } from '../../../machines/contest-lanes.ts';
import { hasEnded, type RunState } from '../../kernel/fold.ts';
import { type Left, OUTSIDE, type Ranking } from '../../kernel/loop-ranking.ts';
import {
  interruptionOf,
  checkedAgain,
  disputeFalls,
  endingLeft,
  lifeFalls,
  lifeLeft,
} from '../../termination/life-left.ts';
import { checkingLeft, checksOf, pendingOf } from '../attempt-ranking.ts';

const BROUGHT_AND_CAPTURED = 2;
const COMPARED = 1;
/** Where its checks fail the attempts are compared, and once more where none is left. */
const COMPARED_ANEW = 2;
/** What an attempt records until it is compared: it is prepared, settled, measured. */
const LEFT_IN: Readonly<Record<ContestLane['phase'], number>> = {
  begun: 3 + COMPARED,
  building: 2 + COMPARED,
  settled: 1 + COMPARED,
  measured: 0,
  lost: 0,
  stopped: 0,
  chosen: 0,
  refused: 0,
};

const OWN_RESULTS = ['attempt.prepared', 'attempt.refused', 'attempt.measured', 'winner.brought', 'winner.refused'];

/** What is interrupted and started again, whichever attempt it is about. */
const startedAgain = interruptionOf('capture', 'checks', 'groundsRuling', 'preparing', 'measuring', 'bringing');

/** Why a contest ends: it has so many attempts, and each of them is chosen at most once. */
export const contestRanking: Ranking = {
  left: contestLeft,
  outside: [startedAgain],
  means: { rounds: 'decisions, and attempts that begin', work: 'attempts, comparisons, captures and checks' },
  falls: {
    ...lifeFalls,
    ...disputeFalls,
    'anywhere child.asked 0': OUTSIDE,
    'anywhere child.answered 0': OUTSIDE,
    'anywhere child.settled 0': 'work',
    'anywhere child.settled 1': 'work',
    'anywhere effect.interrupted 0': 'work',
    'stream.admitting iteration.started 0': 'rounds',
    'stream.preparing attempt.prepared 0': 'work',
    'stream.preparing attempt.refused 0': 'work',
    'stream.preparing effect.interrupted 0': OUTSIDE,
    'stream.measuring attempt.measured 0': 'work',
    'stream.measuring effect.interrupted 0': OUTSIDE,
    'stream.comparing attempts.compared 0': 'work',
    'stream.awaitingPerson run.resumed 0': OUTSIDE,
    'stream.awaitingPerson always 0': 'work',
    'stream.awaitingPerson always 1': 'work',
    'stream.awaitingPerson always 2': 'work',
    'stream.awaitingPerson always 3': OUTSIDE,
    'tools.bringing effect.interrupted 0': OUTSIDE,
    'tools.capturing effect.interrupted 0': OUTSIDE,
    'verify.checking verification.completed 1': 'work',
    'verify.checking effect.interrupted 0': OUTSIDE,
    ...Object.fromEntries(
      [
        'child.settled',
        ...OWN_RESULTS,
        'workspace.captured',
        'workspace.failed',
        'baseline.taken',
        'verification.completed',
        'effect.interrupted',
      ].map((type) => [`decide.aborting ${type} 0`, 'work']),
    ),
  },
};

function contestLeft(state: RunState): Left {
  const { snapshot } = state;
  const context = snapshot.context as ContestContext;
  if (hasEnded(state)) return {};
  if (snapshot.matches('decide.ending')) return endingLeft(state, context);
  const begun = context.isBeginning ? 1 : 0;
  const toDecide = Math.max(0, mostAttempts(context) - context.iterations - begun);
  const { rounds, ...life } = lifeLeft(context.isBeginning ? { ...context, warnings: 0 } : context, toDecide);
  const perAttempt = LEFT_IN.begun + chosenLeft(context) + COMPARED;
  return { rounds: rounds + begun, work: (toDecide + begun) * perAttempt + workUnderWay(state, context), ...life };
}

/** The events of an attempt that is chosen in vain. */
const chosenLeft = (context: ContestContext): number => BROUGHT_AND_CAPTURED + checksOf(context) + COMPARED_ANEW;

/** The events left of the attempts that have begun. */
function workUnderWay({ snapshot }: RunState, context: ContestContext): number {
  const lanes = context.lanes.map((one) => laneLeft(one, context));
  return lanes.reduce((sum, left) => sum + left, chosenNow(snapshot, context) + comparisonLeft(snapshot, context));
}

const laneLeft = ({ lane, phase }: ContestLane, context: ContestContext): number =>
  LEFT_IN[phase] + (LEFT_IN[phase] > 0 || lane in context.standing ? chosenLeft(context) : 0);

/** A comparison that is asked for, or will be, and one more where no attempt is left. */
function comparisonLeft(snapshot: RunState['snapshot'], { isBeginning, isUncompared }: ContestContext): number {
  if (snapshot.matches('stream.comparing')) return COMPARED + COMPARED;
  const owed = isUncompared ? COMPARED : 0;
  return snapshot.matches('stream') && !snapshot.matches('stream.stopping') && !isBeginning ? owed + COMPARED : owed;
}

/** Results that are counted with their attempt. */
const OF_ATTEMPTS = /^agent\./;

/** The events left of the attempt whose change is in the workspace, or on its way. */
function chosenNow(snapshot: RunState['snapshot'], context: ContestContext): number {
  if (snapshot.matches('decide.aborting'))
    return Object.keys(context.pending).filter((key) => !OF_ATTEMPTS.test(key)).length;
  if (snapshot.matches('stream.stopping')) return context.leader === null ? 0 : chosenLeft(context);
  if (snapshot.matches('tools.bringing')) return chosenLeft(context);
  if (snapshot.matches('tools.capturing')) return chosenLeft(context) - 1;
  if (snapshot.matches('verify.baseline')) return pendingOf(context);
  if (snapshot.matches('verify.disputed')) return checkedAgain(context) + COMPARED_ANEW;
  return snapshot.matches('verify') ? checkingLeft(context) + COMPARED_ANEW : 0;
}
