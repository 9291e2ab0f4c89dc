import type { AnyEvent, IterationEvent as AttemptEvent, LoopEvent, Recorded, Share } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { isLimited, leftFor } from '../budget/allowance.ts';
import type { Situation } from '../runtime/cast.ts';
import { lifeOf, type Outstanding } from '../runtime/fold.ts';
import type { EffectSpec, Interruption, LoopSettings } from '../runtime/loop-definition.ts';
import type { LoopDescription } from '../runtime/loop-description.ts';
import type { Rounds } from '../runtime/rounds.ts';
import { attemptSettings } from './attempt-settings.ts';

// What loops of whole attempts share: a round is an attempt, and an attempt is a run of its own.

interface Attempted extends Life {
  /** Attempts that have begun. */
  readonly iterations: number;
}

/** The fact that begins an attempt. */
export const ATTEMPT_STARTED = 'iteration.started';

/** Rounds of a loop whose context counts `iterations`. */
export const attemptRounds: Rounds = {
  started: ATTEMPT_STARTED,
  begin: (context: Attempted, { at, reserved }) => ({
    type: ATTEMPT_STARTED,
    payload: { iteration: context.iterations, startedAt: at, ...(reserved ? { reserved } : {}) },
  }),
  count: (context: Attempted) => context.iterations,
  limit: 'iterations',
};

/** An attempt: a turn with the task and what the last attempt got wrong. All that was set aside for a lost one counts as used. */
export const attempt: EffectSpec = { class: 'child', interrupted: attemptInterrupted, opens: attemptSettings };

function attemptInterrupted({ key }: Outstanding, { reason, kept }: Interruption): AnyEvent {
  return { type: 'effect.interrupted', payload: { actor: key, reason, ...(kept ? { usage: kept } : {}) } };
}

/** Such a loop, for people. */
export const attemptDescription: LoopDescription = {
  round: 'iteration',
  child: 'attempt',
  line: ({ type, payload }: Recorded<AttemptEvent>) => (type === ATTEMPT_STARTED ? `iteration ${payload.iteration + 1}` : null),
};

/** The same with what a loop says of its own events, and words of its own. */
export const describedAttempts = (own: Partial<LoopDescription> = {}): LoopDescription => ({
  ...attemptDescription,
  ...own,
  line: (event) => own.line?.(event) ?? attemptDescription.line(event),
});

/** An attempt may use all that is left. */
export function reserveForAttempt({ state }: Situation): Share | null {
  const left = leftFor(lifeOf(state), 'agent');
  return isLimited(left) ? left : null;
}

/** It is recorded by the fact that begins the attempt. */
export const setAsideForAttempt = ({ type, payload }: LoopEvent): Readonly<Record<string, Share>> =>
  type === ATTEMPT_STARTED && payload.reserved ? { agent: payload.reserved } : {};

/** Steps and calls are those of each attempt. What was verified has to have a name, which only git gives it. */
export const attemptBounds: LoopSettings = {
  bounds: ['maxIterations', 'maxTokens', 'maxTimeMs'],
  ofChildren: ['maxSteps', 'maxToolCalls'],
  needsGit: true,
};
