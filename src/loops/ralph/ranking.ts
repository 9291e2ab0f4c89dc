import type { RalphContext } from '../../../machines/ralph.machine.ts';
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

/** The file is written before an attempt, and read after it. */
const WRITTEN = 1;
const READ = 1;
const SETTLED = 1;
const CAPTURED = 1;
/** Whether the maximum grows, once it is reached: in any iteration, since an edit may lower it each time. */
const WEIGHED = 1;
/** At the end the file is closed. */
const CLOSED = 1;

/** People edit, damage and mend the file; a look at it follows a resumption. */
const FROM_PEOPLE = [
  'state_file.edited',
  'state_file.revisited',
  'state_file.noticed',
  'state_file.damaged',
  'state_file.interrupted',
  'state_file.superseded',
  'edit.approved',
  'edit.denied',
  'edit.withdrawn',
] as const;

/** Why a Ralph loop ends: an edit may raise its maximum, but never above the ceiling, so the ceiling counts here. */
export const ralphRanking: Ranking = {
  left: ralphLeft,
  outside: [workStartedAgain, ...FROM_PEOPLE],
  ceiling: ({ snapshot }) => ({
    name: 'ceiling',
    rounds: (snapshot.context as RalphContext).ceiling,
    because: 'an edit of the state file, and growth, may raise maxIterations up to it',
  }),
  below: attemptBelow,
  means: {
    rounds: 'decisions, and iterations that begin',
    work: 'attempts, captures and checks, and the state file before and after',
  },
  falls: {
    ...attemptFalls,
    ...disputeFalls,
    'anywhere state_file.noticed 0': OUTSIDE,
    'stream.recording state_file.edited 0': OUTSIDE,
    'stream.recording state_file.damaged 0': OUTSIDE,
    'stream.recording state_file.interrupted 0': OUTSIDE,
    'stream.attempting child.asked 0': OUTSIDE,
    'stream.attempting child.answered 0': OUTSIDE,
    'stream.attempting run.resumed 0': OUTSIDE,
    'stream.attempting run.resumed 1': OUTSIDE,
    'stream.attempting state_file.revisited 1': OUTSIDE,
    'stream.reading state_file.edited 0': OUTSIDE,
    'stream.reading state_file.damaged 0': OUTSIDE,
    'stream.reading state_file.interrupted 0': OUTSIDE,
    'decide.aborting state_file.written 0': 'work',
    'decide.aborting state_file.kept 0': 'work',
    'decide.aborting state_file.edited 0': OUTSIDE,
    'decide.aborting state_file.damaged 0': OUTSIDE,
    'decide.aborting state_file.interrupted 0': OUTSIDE,
    'decide.aborting edit.approved 0': OUTSIDE,
    'decide.aborting edit.denied 0': OUTSIDE,
    'decide.aborting edit.withdrawn 0': OUTSIDE,
    'decide.ending.farewell.closing state_file.superseded 0': OUTSIDE,
  },
};

function ralphLeft(state: RunState): Left {
  const { snapshot } = state;
  if (hasEnded(state)) return {};
  if (snapshot.matches('decide.ending')) return closingLeft(state, snapshot.context as RalphContext);
  const { ending, ...left } = attemptsLeft<RalphContext>(state, {
    mostRounds: ({ ceiling, limits }) => mostRounds(ceiling, limits),
    ofThis: (context) => attemptLeft(state, context),
    ofNext: workOf,
  });
  return { ...left, ending: ending + CLOSED };
}

function closingLeft(state: RunState, context: RalphContext): Left {
  const { ending, ...life } = endingLeft(state, context);
  const isClosed = state.snapshot.matches('decide.ending.farewell.telling');
  return { ...life, ending: ending + (isClosed ? 0 : CLOSED) };
}

const weighingOf = ({ isAdaptive }: RalphContext): number => (isAdaptive ? WEIGHED : 0);
const afterReading = (context: RalphContext): number => CAPTURED + checksOf(context) + weighingOf(context);
const workOf = (context: RalphContext): number => WRITTEN + SETTLED + READ + afterReading(context);

/** The events left in the current iteration. */
function attemptLeft({ snapshot }: RunState, context: RalphContext): number {
  const hasAttempted = context.attempt !== null;
  if (snapshot.matches('stream.attempting')) return SETTLED + READ + afterReading(context);
  if (snapshot.matches('stream')) return hasAttempted ? READ + afterReading(context) : workOf(context);
  if (snapshot.matches('tools')) return afterReading(context);
  if (snapshot.matches('verify.weighing')) return WEIGHED;
  if (snapshot.matches('verify.checking')) return checkingLeft(context) + weighingOf(context);
  if (snapshot.matches('verify.disputed')) return checkedAgain(context) + weighingOf(context);
  return pendingOf(context);
}
