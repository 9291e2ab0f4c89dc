// Experiments of the improvement chart that run at once, in the order of their candidates: which may begin, what has
// become of each, and what is stopped when an earlier one wins.
import type { ImprovementEvent, Recorded } from './events.ts';
import { type ImprovementContext, isPending, type Lane, missed, type On } from './improvement-progress.ts';
import { roomBehind } from './improvement-room.ts';
import * as life from './life.ts';
import { isUnanswered } from './outcome.ts';

/** The id of the effect that runs the experiment of a candidate. */
export const agentOf = (candidate: string): string => life.inLane('agent', candidate);

/** What the candidate has made was done in an earlier round, and needs no experiment. */
const isSpare = ({ spares }: Pick<ImprovementContext, 'spares'>, candidate: string | undefined): boolean =>
  candidate !== undefined && spares.includes(candidate);

/** The next candidate was tried beside one that won: what it has made is evaluated. */
export const nextIsSpare = (context: ImprovementContext): boolean => isSpare(context, context.queue[0]);

/** Exactly the next candidate begins, and what is said to be built is known. */
export const isNext = ({ context, event }: On): boolean =>
  event.type === 'experiment.started' &&
  event.payload.candidate === context.queue[0] &&
  (event.payload.built ?? false) === nextIsSpare(context);

/** An experiment begins. The first of several is recorded with the decision, the others beside it. */
export function countExperiment({ context, event }: On) {
  if (event.type !== 'experiment.started') return {};
  const { candidate, reserved, built } = event.payload;
  const phase: Lane['phase'] = built ? 'built' : 'begun';
  const beginning = context.isBeginning ? { notes: 0, candidate: null, modification: null, warnings: 0 } : {};
  return {
    ...life.reserveFor(context, agentOf(candidate), reserved),
    experiments: context.experiments + 1,
    queue: context.queue.slice(1),
    lanes: [...context.lanes, { candidate, phase, version: event.version }],
    spares: context.spares.filter((one) => one !== candidate),
    isBeginning: false,
    ...beginning,
  };
}

/** In how many more experiments the next ones begin, this one included. */
export const placesFor = ({ phases, lanes, queue }: ImprovementContext): number =>
  Math.max(1, Math.min(phases.experiment.maxParallel - lanes.length, queue.length));

/** Another experiment begins beside those under way: one may, and there is room for it. */
export function startsAnother({ context }: { context: ImprovementContext }): boolean {
  const { isBeginning, phases, lanes, queue } = context;
  if (isBeginning || lanes.length >= phases.experiment.maxParallel || queue.length === 0) return false;
  return nextIsSpare(context) || hasRoom(context);
}

/** An experiment beside others has its whole estimate, or waits for its turn. */
function hasRoom({ limits, spend, reserved, phases, budgetShare }: ImprovementContext): boolean {
  const { maxTokens, maxCostNanoUsd = null } = limits;
  const held = (unit: 'tokens' | 'nanoUsd') =>
    Object.values(reserved).reduce((sum, share) => sum + (share[unit] ?? 0), 0);
  const behind = roomBehind(phases);
  const used = spend.inputTokens + spend.outputTokens + held('tokens');
  const needed = phases.experiment.estimateTokens + behind.tokens;
  if (maxTokens !== null && Math.floor(maxTokens * budgetShare) - used < needed) return false;
  return maxCostNanoUsd === null || maxCostNanoUsd - (spend.costNanoUsd ?? 0) - held('nanoUsd') > behind.nanoUsd;
}

/** Its worktree is there: its run begins. */
export function beginWork({ context, event }: On) {
  if (event.type !== 'experiment.prepared') return {};
  const { candidate } = event.payload;
  return {
    lanes: withPhase(context.lanes, candidate, 'building', event.version),
    pending: { ...life.awaitResult({ context }, { actor: agentOf(candidate) }).pending },
  };
}

const withPhase = (lanes: readonly Lane[], candidate: string, phase: Lane['phase'], version: number): readonly Lane[] =>
  lanes.map((lane) => (lane.candidate === candidate ? { candidate, phase, version } : lane));

/** The experiment that is prepared now: one after the other gets its worktree. */
export const unprepared = ({ lanes }: Pick<ImprovementContext, 'lanes'>): Lane | undefined =>
  lanes.find(({ phase }) => phase === 'begun');

/** What is said of a preparation is of the experiment that is prepared. */
export const isUnpreparedOne = ({ context, event }: On): boolean =>
  'candidate' in event.payload && event.payload.candidate === unprepared(context)?.candidate;

/** The work of an experiment is done, or failed by an error. What was stopped has no lane any more. */
export function noteWork({ context, event }: On) {
  if (event.type !== 'child.settled') return {};
  const { lane = '', outcome } = event.payload;
  const isFailed = outcome.ending === 'abort' && !isUnanswered(outcome);
  return { lanes: withPhase(context.lanes, lane, isFailed ? 'failed' : 'built', event.version) };
}

/** An experiment is over without anything to evaluate: its candidate is not tried any more, and its share is free. */
export function dropLane({ context, event }: On) {
  const lane = laneOf(event);
  if (lane === null) return {};
  const { [agentOf(lane)]: _free, ...reserved } = context.reserved;
  return { lanes: context.lanes.filter(({ candidate }) => candidate !== lane), reserved };
}

function laneOf({ type, payload }: Recorded<ImprovementEvent>): string | null {
  if (type === 'experiment.refused') return payload.candidate;
  return type === 'effect.interrupted' ? (payload.lane ?? null) : null;
}

/** What the first of the experiments has made is evaluated. */
export const beginEvaluation = ({ context }: { context: ImprovementContext }) => ({
  candidate: context.lanes[0]?.candidate ?? null,
  modification: null,
});

/** The first was refused: it is the next one's turn. */
export const dropFirst = ({ context }: { context: ImprovementContext }) => ({
  lanes: context.lanes.slice(1),
  candidate: null,
  notes: 0,
});

/** The first has failed by an error: the iteration is over. */
export const noteError = ({ context }: { context: ImprovementContext }) => ({
  ...missed('error', context.lanes[0]?.version ?? 0),
});

/**
 * Experiments behind the first are stopped. Unless the iteration is over, their candidates are the next ones again;
 * what is built is kept.
 */
export function stopLanes({ context }: { context: ImprovementContext }) {
  const { queue, spares, result, lanes } = context;
  const others = lanes.slice(1);
  const built = others.filter(({ phase }) => phase === 'built').map(({ candidate }) => candidate);
  return {
    lanes: [],
    spares: [...spares, ...built],
    ...(result === null ? { queue: [...others.map(({ candidate }) => candidate), ...queue] } : {}),
  };
}

/** A person, a signal or another run has aborted it: the loop is aborted. */
export const isAborted = ({ context, event }: On): boolean =>
  event.type === 'child.settled' &&
  context.pending[life.actorOf(event) ?? ''] !== 'told' &&
  isPending({ context, event }) &&
  event.payload.outcome.ending === 'abort' &&
  event.payload.outcome.cause !== 'error';

/** The lane of a child run that waits for a user, or continues. */
const childIn = ({ type, payload }: Recorded<ImprovementEvent>): string =>
  type === 'child.asked' || type === 'child.answered' ? life.inLane('agent', payload.lane) : '';

export const childIs = ({ context, event }: On, how: 'owed' | 'waiting'): boolean =>
  context.pending[childIn(event)] === how;

export const markChild = ({ context, event }: On, how: 'owed' | 'waiting') => ({
  pending: { ...context.pending, [childIn(event)]: how },
});

/** All that is under way waits for users. */
export const waitsForPersons = ({ context }: { context: ImprovementContext }): boolean =>
  life.onlyPersonsPending({ context }) && context.lanes[0]?.phase === 'building';
