import { type ImprovementContext, MAX_NOTES, mostCandidates } from '../../../machines/improvement-progress.ts';
import { mostRounds } from '../../../machines/life.ts';
import { hasEnded, type RunState } from '../../kernel/fold.ts';
import { type Left, OUTSIDE, type Ranking } from '../../kernel/loop-ranking.ts';
import { endingLeft, lifeFalls, lifeLeft } from '../../termination/life-left.ts';
import { pendingOf, workStartedAgain } from '../attempt-ranking.ts';

/** What an experiment records beside its remarks, from the plan to the integration. */
const PLANNED = 5;
/** What is left of that in each phase. */
const LEFT_IN = { begun: 4, building: 3, built: 2, failed: 0 } as const;
/** What one behind the first records until it is stopped, after which it may begin anew: that it begins, too. */
const BESIDE = 3;
const STOPPED_IN = { begun: 2, building: 1, built: 0, failed: 0 } as const;
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

const AWAITING = 'tools.experimenting.awaitingPerson';

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
    'decide.aborting baseline.taken 0': 'work',
    'decide.integrating workspace.failed 0': 'work',
    'stream.discovering iteration.started 0': 'rounds',
    'stream.discovering discovery.interrupted 0': OUTSIDE,
    'stream.filtering filter.interrupted 0': OUTSIDE,
    'tools experiment.started 0': 'rounds',
    'tools.experimenting.planning plans.interrupted 0': OUTSIDE,
    'tools.experimenting.planning batch.submitted 0': 'work',
    'tools.experimenting.preparing preparation.interrupted 0': OUTSIDE,
    'anywhere child.asked 0': OUTSIDE,
    'anywhere child.answered 0': OUTSIDE,
    'anywhere child.settled 0': 'work',
    'anywhere child.settled 1': 'work',
    'anywhere effect.interrupted 0': 'work',
    'tools.experimenting.admitting experiment.started 0': 'work',
    'tools.experimenting.preparing experiment.prepared 0': 'work',
    'tools.experimenting.preparing experiment.refused 0': 'work',
    'verify.evaluating evaluation.completed 1': 'work',
    [`${AWAITING} run.resumed 0`]: OUTSIDE,
    [`${AWAITING} always 0`]: 'work',
    [`${AWAITING} always 1`]: OUTSIDE,
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
  const { isBeginning, iterations, limits, queue, lanes } = context;
  const most = mostCandidates(context);
  const iterationsLeft = Math.max(0, mostRounds(limits.maxIterations, limits) - iterations);
  const isFinding = snapshot.matches('stream') && !isBeginning;
  // Those behind the first may be stopped, and are tried again.
  const queued = isFinding ? most : queue.length + Math.max(0, lanes.length - 1);
  const begun = isBeginning ? 1 : 0;
  const toDecide = iterationsLeft * (1 + most) + queued - begun;
  const { rounds, ...life } = lifeLeft(isBeginning ? { ...context, warnings: 0 } : context, toDecide);
  const iteration = DISCOVERED_AND_FILTERED + workOf(most, context);
  const work = iterationsLeft * iteration + workOf(queued, context) + workUnderWay(state, context);
  return { rounds: rounds + begun, work, ...life };
}

/** The events of so many candidates, where each is integrated in vain, and those tried beside it begin anew. */
function workOf(candidates: number, { phases }: ImprovementContext): number {
  const atOnce = phases.experiment.maxParallel;
  const few = Math.min(candidates, atOnce);
  const beside = (few * (few - 1)) / 2 + (candidates - few) * (atOnce - 1);
  return candidates * (MAX_NOTES + PLANNED) + beside * BESIDE;
}

/** The events left in the phase that runs, without the candidates behind it. */
function workUnderWay({ snapshot }: RunState, context: ImprovementContext): number {
  const notes = MAX_NOTES - context.notes;
  if (context.isBeginning) return 0;
  if (snapshot.matches('stream.discovering')) return DISCOVERED_AND_FILTERED;
  if (snapshot.matches('stream')) return FILTERED;
  if (snapshot.matches('tools.experimenting.stopping'))
    return pendingOf(context) + (context.result === null ? notes + INTEGRATED : 0);
  if (snapshot.matches('tools') || snapshot.matches('verify.evaluating'))
    return notes + lanesLeft(context) + beginningLeft(snapshot, context);
  if (snapshot.matches('decide.integrating') || snapshot.matches('decide.awaitingPerson')) return notes + INTEGRATED;
  return pendingOf(context);
}

function lanesLeft({ lanes: [first, ...others] }: ImprovementContext): number {
  const ofOthers = others.map(({ phase }): number => STOPPED_IN[phase]);
  return ofOthers.reduce((sum, left) => sum + left, first ? LEFT_IN[first.phase] : 0);
}

/** The experiments that begin beside the first, and their plans. */
function beginningLeft(snapshot: RunState['snapshot'], context: ImprovementContext): number {
  if (snapshot.matches('tools.experimenting.planning')) return 1;
  if (!snapshot.matches('tools.experimenting.admitting')) return 0;
  const { phases, lanes, queue } = context;
  return 1 + BESIDE * Math.min(phases.experiment.maxParallel - lanes.length, queue.length);
}
