import type { RalphContext } from '../../../machines/ralph.machine.ts';
import { mostRounds } from '../../../machines/life.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { limitsWithin } from '../../config/caps.ts';
import { hasEnded, type RunState } from '../../kernel/fold.ts';
import { type Left, OUTSIDE, type Ranking } from '../../kernel/loop-ranking.ts';
import { interruptionOf } from '../../termination/external.ts';
import { endingLeft, lifeFalls, lifeLeft } from '../../termination/remaining.ts';

/** The file is written before an attempt, and read after it. */
const WRITTEN = 1;
const READ = 1;
const SETTLED = 1;
const CAPTURED = 1;
/** Whether the maximum grows, once it is reached. */
const WEIGHED = 1;
/** At the end the file is closed. */
const CLOSED = 1;

/** People edit, damage and mend the file; a look at it follows a resumption. */
const FROM_PEOPLE = [
  'state_file.edited',
  'state_file.revisited',
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
  outside: [interruptionOf('capture', 'checks'), ...FROM_PEOPLE],
  below: (settings) => ({ kind: 'one a round', settings: attemptOf(settings) }),
  means: {
    rounds: 'decisions, and iterations that begin',
    work: 'attempts, captures and checks, and the state file before and after',
  },
  falls: {
    ...lifeFalls,
    'stream iteration.started 0': 'rounds',
    'stream.recording state_file.edited 1': OUTSIDE,
    'stream.recording state_file.edited 3': OUTSIDE,
    'stream.recording state_file.damaged 0': OUTSIDE,
    'stream.recording state_file.interrupted 0': OUTSIDE,
    'stream.attempting child.asked 0': OUTSIDE,
    'stream.attempting child.answered 0': OUTSIDE,
    'stream.attempting run.resumed 0': OUTSIDE,
    'stream.attempting run.resumed 1': OUTSIDE,
    'stream.attempting state_file.revisited 1': OUTSIDE,

    'stream.reading state_file.edited 1': OUTSIDE,
    'stream.reading state_file.damaged 0': OUTSIDE,
    'stream.reading state_file.interrupted 0': OUTSIDE,
    'tools effect.interrupted 0': OUTSIDE,
    'verify.checking effect.interrupted 0': OUTSIDE,
    'decide.aborting child.settled 0': 'work',
    'decide.aborting state_file.written 0': 'work',
    'decide.aborting state_file.kept 0': 'work',
    'decide.aborting state_file.edited 0': OUTSIDE,
    'decide.aborting state_file.damaged 0': OUTSIDE,
    'decide.aborting state_file.interrupted 0': OUTSIDE,
    'decide.aborting edit.approved 0': OUTSIDE,
    'decide.aborting edit.denied 0': OUTSIDE,
    'decide.aborting edit.withdrawn 0': OUTSIDE,
    'decide.aborting workspace.captured 0': 'work',
    'decide.aborting workspace.failed 0': 'work',
    'decide.aborting verification.completed 0': 'work',
    'decide.aborting effect.interrupted 0': 'work',
    'decide.ending.farewell.closing state_file.superseded 0': OUTSIDE,
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

function ralphLeft(state: RunState): Left {
  const { snapshot } = state;
  const context = snapshot.context as RalphContext;
  if (hasEnded(state)) return {};
  if (snapshot.matches('decide.ending')) return closingLeft(state, context);
  const isUnbegun = context.isBeginning && snapshot.matches('stream');
  const now = isUnbegun ? { ...context, iterations: context.iterations + 1, attempt: null, warnings: 0 } : context;
  const roundsLeft = Math.max(0, mostRounds(context.ceiling, now.limits) - now.iterations);
  const { rounds, ending, ...life } = lifeLeft(now, roundsLeft);
  const work = attemptLeft(state, now) + roundsLeft * workOf(now);
  return { rounds: rounds + (isUnbegun ? 1 : 0), work, ...life, ending: ending + CLOSED };
}

function closingLeft(state: RunState, context: RalphContext): Left {
  const { ending, ...life } = endingLeft(state, context);
  const isClosed = state.snapshot.matches('decide.ending.farewell.telling');
  return { ...life, ending: ending + (isClosed ? 0 : CLOSED) };
}

const checksOf = ({ hasChecks, hasCi }: RalphContext): number => (hasChecks || hasCi ? 1 : 0);
const afterReading = (context: RalphContext): number => CAPTURED + checksOf(context) + WEIGHED;
const workOf = (context: RalphContext): number => WRITTEN + SETTLED + READ + afterReading(context);

/** The events left in the current iteration. */
function attemptLeft({ snapshot }: RunState, context: RalphContext): number {
  const hasAttempted = context.attempt !== null;
  if (snapshot.matches('stream.attempting')) return SETTLED + READ + afterReading(context);
  if (snapshot.matches('stream')) return hasAttempted ? READ + afterReading(context) : workOf(context);
  if (snapshot.matches('tools')) return afterReading(context);
  if (snapshot.matches('verify.weighing')) return WEIGHED;
  if (snapshot.matches('verify')) return checksOf(context) + WEIGHED;
  return Object.keys(context.pending).length;
}
