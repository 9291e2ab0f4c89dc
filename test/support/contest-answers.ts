import { type ContestContext, unmeasured, unprepared } from '../../machines/contest-lanes.ts';
import type { Measure } from '../../machines/contest-facts.ts';
import type { LoopEvent } from '../../machines/events.ts';
import type { RunState } from '../../src/kernel/fold.ts';
import * as has from './facts.ts';

// What the environment may answer to the effects of a contest: attempts that stand or not, and changes that fit or not.

const FAULT = { code: 'broken', message: 'it broke' };

const ISOLATION = {
  kind: 'worktree',
  origin: '/project',
  top: '/worktrees/one',
  repository: '/project/.git',
  base: 'tree-1',
  dependencies: [],
} as const;

const attemptPrepared = (lane: string): LoopEvent => ({
  type: 'attempt.prepared',
  payload: { lane, base: 'tree-1', directory: ISOLATION.top, isolation: { ...ISOLATION, dependencies: [] } },
});

export const measure = (more: Partial<Measure> = {}): Measure => ({
  stands: true,
  grade: 'witnessed',
  enough: true,
  surpassable: false,
  checks: { passed: 1, failed: 0 },
  tests: { passed: 2, turned: 1, lost: 0 },
  change: { files: 1, lines: 4 },
  ...more,
});

const FAILING = measure({ stands: false, grade: null, enough: false, surpassable: true });

const attemptMeasured = (lane: string, of: Measure = measure()): LoopEvent => ({
  type: 'attempt.measured',
  payload: { lane, child: `child-${lane}`, tree: `tree-of-${lane}`, measure: of },
});

const attemptsCompared = (leader: string | null, isDecided: boolean): LoopEvent => ({
  type: 'attempts.compared',
  payload: { leader, isDecided, because: 'it is the only one that stands', attempts: [] },
});

const winnerBrought = (lane: string): LoopEvent => ({
  type: 'winner.brought',
  payload: { lane, child: `child-${lane}`, tree: `tree-of-${lane}`, changed: 1 },
});

const winnerRefused = (lane: string): LoopEvent => ({ type: 'winner.refused', payload: { lane, fault: FAULT } });

const attemptRefused = (lane: string): LoopEvent => ({ type: 'attempt.refused', payload: { lane, fault: FAULT } });

/** So that random walks come far. */
const often = (event: LoopEvent): LoopEvent[] => Array.from({ length: 6 }, () => event);

/** Throws for an effect that a contest does not have. */
export function contestAnswers(actor: string, state: RunState): readonly LoopEvent[] {
  const context = state.snapshot.context as ContestContext;
  const leader = context.leader ?? '';
  const standing = Object.keys(context.standing);
  switch (actor) {
    case 'admitAttempt':
      return [has.iterationStarted(context.iterations)];
    case 'prepareAttempt': {
      const lane = unprepared(context)?.lane ?? '';
      return [...often(attemptPrepared(lane)), attemptRefused(lane)];
    }
    case 'measureAttempt': {
      const lane = unmeasured(context)?.lane ?? '';
      return [...often(attemptMeasured(lane)), attemptMeasured(lane, FAILING)];
    }
    case 'compareAttempts':
      return [
        attemptsCompared(null, false),
        ...standing.flatMap((lane) => [true, false].map((is) => attemptsCompared(lane, is))),
      ];
    case 'bringWinner':
      return [...often(winnerBrought(leader)), winnerRefused(leader)];
    default:
      throw new Error(`this environment has no answers for ${actor}`);
  }
}

/** Every kind of answer, to effects that no run has asked for. */
export const contestNoise: readonly LoopEvent[] = [
  attemptPrepared('nothing'),
  attemptRefused('nothing'),
  attemptMeasured('nothing'),
  attemptsCompared('nothing', true),
  winnerBrought('nothing'),
  winnerRefused('nothing'),
  has.inLane(has.attemptSettled(), 'nothing'),
  has.inLane(has.attemptAsked, 'nothing'),
  has.inLane(has.attemptAnswered, 'nothing'),
  ...(['preparing', 'measuring', 'bringing'] as const).map(
    (actor) => ({ type: 'effect.interrupted', payload: { actor, reason: 'told to stop' } }) as LoopEvent,
  ),
];
