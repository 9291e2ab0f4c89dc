import type { Outcome } from '../../../machines/outcome.ts';
import type { RalphContext } from '../../../machines/ralph.machine.ts';
import { mostIterations, shownNumbers } from '../../../machines/ralph-numbers.ts';
import { proven } from '../../judging/judge-in-order.ts';
import type { Evidence } from '../../kernel/decision.ts';
import { checkCompletionPromise, whyNotPromised } from '../../ralph/check-promise.ts';
import type { RalphMemory } from './memory.ts';
import type { AnyEvent, Recorded } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Activity } from '../../kernel/effect-handlers.ts';
import { attemptActivity } from '../attempt-loop.ts';

export type RalphEvidence = Evidence<RalphContext, RalphMemory>;

/** How far an iteration came: what was asked for, and what of it is there. */
export interface Progress {
  readonly promise: string | null;
  /** The last message of an attempt that succeeded has the promise. */
  readonly isPromised: boolean;
  /** Why the tag in the last message is no promise. Null: it is one, or there is no tag. */
  readonly whyNot: string | null;
  /** A promise needs passed checks, too. */
  readonly needsProof: boolean;
  readonly proof: Outcome | null;
}

/**
 * The context with the limits that hold now: people may have changed the maximum in the file, or have stopped the loop
 * there, which is an abort by a user.
 */
export function asFileSays(context: RalphContext): RalphContext {
  const { limits, abort, stopped } = context;
  return {
    ...context,
    limits: { ...limits, maxIterations: mostIterations(context) },
    abort: abort ?? (stopped && { cause: 'user', ...stopped }),
  };
}

export function progressOf({ context, memory, grade, enough }: RalphEvidence): Progress {
  const { promise, said, believesPromise } = memory;
  const isFinished = context.attempt?.succeeded === true && !context.deadlinePassed;
  const isPromised = isFinished && said.some((text) => checkCompletionPromise(text, promise));
  const whyNot = isFinished && !isPromised ? said.map((text) => whyNotPromised(text, promise)) : [];
  return {
    promise,
    isPromised,
    whyNot: whyNot.find((why) => why !== null) ?? null,
    needsProof: context.hasChecks && !believesPromise,
    proof: proven({ context, grade, enough }),
  };
}

/** What people are told has the numbers of the file, which they may have changed. */
export function ralphActivity(fact: Recorded<AnyEvent>, context: RalphContext, settings: RunSettings): Activity | null {
  const activity = attemptActivity(fact, asFileSays(context), settings);
  if (!activity || activity.iteration === 0) return activity;
  const { maximum } = shownNumbers(context);
  return { ...activity, iteration: Math.max(1, activity.iteration + context.file.ahead), maxIterations: maximum };
}
