// What the contest chart remembers beside what every chart does: its attempts, and which of them leads.
import { ContestOptions } from './contest-facts.ts';
import type { ContestEvent, Recorded } from './events.ts';
import * as life from './life.ts';
import { addSpend, isUnanswered } from './outcome.ts';

/** An attempt that has begun. */
export interface ContestLane {
  /** Which one it is, from `1`. */
  readonly lane: string;
  /**
   * `begun`: without a worktree yet. `settled`: its run has ended, and its work is not known yet. `lost`: it has left
   * nothing. `stopped`: another one has won. `chosen`: it has won. `refused`: its change did not pass in the workspace.
   */
  readonly phase: 'begun' | 'building' | 'settled' | 'measured' | 'lost' | 'stopped' | 'chosen' | 'refused';
  /** The version of the event by which it came to this phase. */
  readonly version: number;
}

export interface ContestContext extends life.Life {
  /** Attempts that have begun. */
  readonly iterations: number;
  readonly lanes: readonly ContestLane[];
  /** Attempts whose work may win, by their lanes. */
  readonly standing: { readonly [lane: string]: true };
  /** How many attempts run at once. */
  readonly parallel: number;
  /** One was looked at since the attempts were compared. */
  readonly isUncompared: boolean;
  /** The best attempt that stands, by its lane. */
  readonly leader: string | null;
  /** No attempt that runs can win any more. */
  readonly isDecided: boolean;
  /** The attempt whose change is in the workspace, and the version that says so. */
  readonly brought: { readonly lane: string; readonly version: number } | null;
}

type On = { context: ContestContext; event: Recorded<ContestEvent> };
type Of = { context: ContestContext };

export const born = (opening: life.Opening | undefined): ContestContext => ({
  ...life.born(opening),
  iterations: 0,
  lanes: [],
  standing: {},
  parallel: ContestOptions.parse(opening?.started.payload.settings.options ?? {}).parallel,
  isUncompared: false,
  leader: null,
  isDecided: false,
  brought: null,
});

/** The effect that an event of this loop is the result of. */
export const settlesInContest: Readonly<Record<string, string>> = {
  'attempt.prepared': 'preparing',
  'attempt.refused': 'preparing',
  'attempt.measured': 'measuring',
  'winner.brought': 'bringing',
  'winner.refused': 'bringing',
};

const effectOf = (event: Recorded<ContestEvent>) => ({
  actor: settlesInContest[event.type] ?? life.actorOf(event) ?? '',
});

export const isPending = ({ context, event }: On): boolean => life.isPending({ context, event }, effectOf(event));

export const complete = ({ context, event }: On) => life.complete({ context, event }, effectOf(event));

/** The id of the effect that runs an attempt. */
export const attemptOf = (lane: string): string => life.inLane('agent', lane);

/** So many attempts may begin. */
export const mostAttempts = ({ limits }: Pick<ContestContext, 'limits'>): number =>
  life.mostRounds(limits.maxIterations, limits);

const UNDER_WAY: ReadonlySet<ContestLane['phase']> = new Set(['begun', 'building', 'settled']);

/** Attempts that run, or of which nothing is known yet. */
const underWay = ({ lanes }: Pick<ContestContext, 'lanes'>): readonly ContestLane[] =>
  lanes.filter(({ phase }) => UNDER_WAY.has(phase));

const firstIn = ({ lanes }: Pick<ContestContext, 'lanes'>, phase: ContestLane['phase']): ContestLane | undefined =>
  lanes.filter((one) => one.phase === phase).toSorted((one, other) => one.version - other.version)[0];

/** The attempt that gets its worktree now: one after the other. */
export const unprepared = (context: Pick<ContestContext, 'lanes'>) => firstIn(context, 'begun');

/** The attempt whose work is looked at now: of those whose runs have ended the first that did. */
export const unmeasured = (context: Pick<ContestContext, 'lanes'>) => firstIn(context, 'settled');

const isOf =
  (laneIn: (context: ContestContext) => string | undefined) =>
  ({ context, event }: On): boolean =>
    'lane' in event.payload && event.payload.lane !== undefined && event.payload.lane === laneIn(context);

export const isUnpreparedOne = isOf((context) => unprepared(context)?.lane);
export const isUnmeasuredOne = isOf((context) => unmeasured(context)?.lane);
export const isLeader = isOf(({ leader }) => leader ?? undefined);

/** Exactly the next attempt begins. */
export const isNextAttempt = ({ context, event }: On): boolean =>
  event.type === 'iteration.started' && event.payload.iteration === context.iterations;

/** There is room for an attempt beside those under way. */
export const startsAnother = ({ context }: Of): boolean =>
  !context.isDecided && mayBegin(context) && underWay(context).length < context.parallel;

const mayBegin = (context: ContestContext): boolean => context.iterations < mostAttempts(context);

/** No attempt runs, and none will begin by itself. */
export const noneIsLeft = ({ context }: Of): boolean => underWay(context).length === 0;

/** Only an attempt that stands may lead. */
export const isDecidable = ({ context, event }: On): boolean =>
  event.type === 'attempts.compared' && (event.payload.leader === null || event.payload.leader in context.standing);

/** An attempt that runs, or begins by itself, may still win. */
export const isOpen = ({ context, event }: On): boolean =>
  isDecidable({ context, event }) &&
  event.type === 'attempts.compared' &&
  !event.payload.isDecided &&
  (!noneIsLeft({ context }) || startsAnother({ context }));

/** A result is of the effect of that key, which no attempt has. */
export const isOfEffect =
  (actor: string) =>
  ({ context, event }: On): boolean =>
    event.type === 'effect.interrupted' && event.payload.actor === actor && actor in context.pending;

export function countAttempt({ context, event }: On) {
  if (event.type !== 'iteration.started') return {};
  const lane = String(context.iterations + 1);
  return {
    ...life.reserveFor(context, attemptOf(lane), event.payload.reserved),
    iterations: context.iterations + 1,
    lanes: [...context.lanes, { lane, phase: 'begun' as const, version: event.version }],
    isDecided: false,
    isBeginning: false,
    verification: null,
    warnings: 0,
    steered: null,
  };
}

const withLane = (
  { lanes }: Pick<ContestContext, 'lanes'>,
  lane: string | undefined,
  more: Partial<Omit<ContestLane, 'lane'>>,
): readonly ContestLane[] => lanes.map((one) => (one.lane === lane ? { ...one, ...more } : one));

/** Its worktree is there: its run begins. */
export function beginWork({ context, event }: On) {
  if (event.type !== 'attempt.prepared') return {};
  const { lane } = event.payload;
  return {
    lanes: withLane(context, lane, { phase: 'building', version: event.version }),
    pending: life.awaitResult({ context }, { actor: attemptOf(lane) }).pending,
  };
}

const laneIn = ({ payload }: Recorded<ContestEvent>): string | undefined =>
  'lane' in payload ? payload.lane : undefined;

/** It will leave nothing: its share is free. */
export function dropLane({ context, event }: On) {
  const { [attemptOf(laneIn(event) ?? '')]: _free, ...reserved } = context.reserved;
  return { ...loseLane({ context, event }), reserved };
}

/** It will leave nothing. */
export const loseLane = ({ context, event }: On) => ({
  lanes: withLane(context, laneIn(event), { phase: 'lost', version: event.version }),
});

/** Its run has ended: by itself, or because another one has won. */
export function noteAttempt({ context, event }: On) {
  if (event.type !== 'child.settled') return {};
  const { lane, spend } = event.payload;
  const phase = context.pending[attemptOf(lane ?? '')] === 'told' ? ('stopped' as const) : ('settled' as const);
  return { lanes: withLane(context, lane, { phase, version: event.version }), spend: addSpend(context.spend, spend) };
}

export function noteMeasure({ context, event }: On) {
  if (event.type !== 'attempt.measured') return {};
  const { lane, measure } = event.payload;
  const lanes = withLane(context, lane, { phase: 'measured', version: event.version });
  return {
    lanes,
    isUncompared: true,
    ...(measure.stands ? { standing: { ...context.standing, [lane]: true as const } } : {}),
  };
}

export function noteComparison({ event }: Pick<On, 'event'>) {
  if (event.type !== 'attempts.compared') return {};
  return { leader: event.payload.leader, isDecided: event.payload.isDecided, isUncompared: false };
}

/** The best of them has won. */
export function chooseLeader({ context, event }: On) {
  if (event.type !== 'attempts.compared' || event.payload.leader === null) return {};
  const { leader } = event.payload;
  const { [leader]: _chosen, ...standing } = context.standing;
  return { lanes: withLane(context, leader, { phase: 'chosen', version: event.version }), standing };
}

/** What is given up never comes. */
export const loseUnderWay = ({ context, event }: On) => ({
  lanes: context.lanes.map((one) =>
    UNDER_WAY.has(one.phase) ? { ...one, phase: 'lost' as const, version: event.version } : one,
  ),
});

export const noteBrought = ({ event }: Pick<On, 'event'>) =>
  event.type === 'winner.brought' ? { brought: { lane: event.payload.lane, version: event.version } } : {};

/** The change did not pass: the attempt cannot win any more. */
export const refuseLeader = ({ context, event }: On) => ({
  lanes: withLane(context, context.leader ?? undefined, { phase: 'refused', version: event.version }),
  leader: null,
  isDecided: false,
});

/** The checks refuse what was brought, and another attempt stands. */
export const anotherStands = ({ context, event }: On): boolean =>
  hasFailed({ context, event }) && Object.keys(context.standing).length > 0;

export const hasFailed = ({ event }: On): boolean => event.type === 'verification.completed' && !event.payload.passed;

/** A person or a signal has aborted an attempt: the contest is aborted. */
export const isAborted = ({ context, event }: On): boolean =>
  event.type === 'child.settled' &&
  context.pending[life.actorOf(event) ?? ''] !== 'told' &&
  isPending({ context, event }) &&
  event.payload.outcome.ending === 'abort' &&
  event.payload.outcome.cause !== 'error' &&
  !isUnanswered(event.payload.outcome);

export function noteAttemptAbort({ event }: Pick<On, 'event'>) {
  if (event.type !== 'child.settled' || event.payload.outcome.ending !== 'abort') return {};
  return { abort: { cause: event.payload.outcome.cause, reason: null, version: event.version } };
}

const childIn = ({ type, payload }: Recorded<ContestEvent>): string =>
  type === 'child.asked' || type === 'child.answered' ? life.inLane('agent', payload.lane) : '';

export const childIs = ({ context, event }: On, how: 'owed' | 'waiting'): boolean =>
  context.pending[childIn(event)] === how;

export const markChild = ({ context, event }: On, how: 'owed' | 'waiting') => ({
  pending: { ...context.pending, [childIn(event)]: how },
});
