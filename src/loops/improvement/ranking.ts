import { type ImprovementContext, MAX_NOTES, mostCandidates } from '../../../machines/improvement-progress.ts';
import { mostRounds } from '../../../machines/life.ts';
import { hasEnded, type RunState } from '../../kernel/fold.ts';
import { type Left, OUTSIDE, type Ranking } from '../../kernel/loop-ranking.ts';
import { endingLeft, lifeFalls, lifeLeft } from '../../termination/remaining.ts';
import { pendingOf, workStartedAgain } from '../attempt-ranking.ts';

/** What an experiment records beside its remarks, from the plan to the integration. */
const PLANNED = 5;
const PREPARED = 4;
const SETTLED = 3;
const EVALUATED = 2;
const INTEGRATED = 1;
/** What an iteration records before its experiments. */
const DISCOVERED_AND_FILTERED = 2;
const FILTERED = 1;

/** Whatever was started again, and what a person answers. */
const FROM_OUTSIDE = [
  'discovery.interrupted',
  'filter.interrupted',
  'plans.interrupted',
  'preparation.interrupted',
  'evaluation.interrupted',
  'integration.interrupted',
  'integration.approved',
  'integration.denied',
  'approval.interrupted',
] as const;

const BUILDING = 'tools.experimenting.building';

/** Why an improvement loop ends: it has so many iterations, and each of them so many candidates. */
export const improvementRanking: Ranking = {
  left: improvementLeft,
  outside: [workStartedAgain, ...FROM_OUTSIDE],
  means: {
    rounds: 'decisions, and iterations and experiments that begin',
    work: 'discoveries, experiments, evaluations and integrations, and their remarks',
  },
  falls: {
    ...lifeFalls,
    'decide.aborting child.settled 0': 'work',
    'decide.aborting baseline.taken 0': 'work',
    'decide.aborting effect.interrupted 0': 'work',
    'decide.integrating workspace.failed 0': 'work',
    'stream.discovering iteration.started 0': 'rounds',
    'stream.discovering discovery.interrupted 0': OUTSIDE,
    'stream.filtering filter.interrupted 0': OUTSIDE,
    'tools experiment.started 0': 'rounds',
    'tools.experimenting.planning plans.interrupted 0': OUTSIDE,
    'tools.experimenting.planning batch.submitted 0': 'work',
    'tools.experimenting.preparing preparation.interrupted 0': OUTSIDE,
    [`${BUILDING} child.asked 0`]: OUTSIDE,
    [`${BUILDING} child.answered 0`]: OUTSIDE,
    [`${BUILDING} run.resumed 0`]: OUTSIDE,
    'verify.evaluating candidate.built 0': 'work',
    'verify.evaluating tier.completed 0': 'work',
    'verify.evaluating verification.completed 0': 'work',
    'verify.evaluating evaluation.interrupted 0': OUTSIDE,
    'decide.judging decision.made 2': 'rounds',
    'decide.integrating workspace.captured 0': 'work',
    'decide.integrating baseline.taken 0': 'work',
    'decide.integrating integration.interrupted 0': OUTSIDE,
    'decide.awaitingPerson run.resumed 0': OUTSIDE,
    'decide.awaitingPerson approval.interrupted 0': OUTSIDE,
    ...Object.fromEntries(
      [
        'discovery.completed',
        'filter.completed',
        'plans.written',
        'experiment.prepared',
        'experiment.refused',
        'evaluation.completed',
        'integration.completed',
        'integration.failed',
      ].map((type) => [`decide.aborting ${type} 0`, 'work']),
    ),
    ...Object.fromEntries(
      FROM_OUTSIDE.filter((type) => !/approved|denied/.test(type)).map((type) => [
        `decide.aborting ${type} 0`,
        OUTSIDE,
      ]),
    ),
  },
};

function improvementLeft(state: RunState): Left {
  const { snapshot } = state;
  const context = snapshot.context as ImprovementContext;
  if (hasEnded(state)) return {};
  if (snapshot.matches('decide.ending')) return endingLeft(state, context);
  const { isBeginning, iterations, limits, queue } = context;
  const most = mostCandidates(context);
  const iterationsLeft = Math.max(0, mostRounds(limits.maxIterations, limits) - iterations);
  const isFinding = snapshot.matches('stream') && !isBeginning;
  const queued = isFinding ? most : queue.length;
  const begun = isBeginning ? 1 : 0;
  const toDecide = iterationsLeft * (1 + most) + queued - begun;
  const { rounds, ...life } = lifeLeft(isBeginning ? { ...context, warnings: 0 } : context, toDecide);
  const experiment = MAX_NOTES + PLANNED;
  const iteration = DISCOVERED_AND_FILTERED + most * experiment;
  const work = iterationsLeft * iteration + queued * experiment + workUnderWay(state, context);
  return { rounds: rounds + begun, work, ...life };
}

/** The events left in the phase that runs, without the candidates behind it. */
function workUnderWay({ snapshot }: RunState, context: ImprovementContext): number {
  const notes = MAX_NOTES - context.notes;
  if (context.isBeginning) return 0;
  if (snapshot.matches('stream.discovering')) return DISCOVERED_AND_FILTERED;
  if (snapshot.matches('stream')) return FILTERED;
  if (snapshot.matches('tools.experimenting.planning')) return notes + PLANNED;
  if (snapshot.matches(BUILDING)) return notes + SETTLED;
  if (snapshot.matches('tools')) return notes + PREPARED;
  if (snapshot.matches('verify.evaluating')) return notes + EVALUATED;
  if (snapshot.matches('decide.integrating') || snapshot.matches('decide.awaitingPerson')) return notes + INTEGRATED;
  return pendingOf(context);
}
