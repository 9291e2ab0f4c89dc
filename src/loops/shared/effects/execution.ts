import type { LoopEvent } from '../../../../machines/events.ts';
import type { Actor, EffectCall } from '../../../actors/actor.ts';
import type { Execution } from '../../../kernel/effect-handlers.ts';

/** An effect that an actor or a function carries out in this process. */
export type ActorExecution = Extract<Execution, { kind: 'actor' }>;

/**
 * An effect that an actor carries out, with its input. The actor says the class: it may depend on the input, and only
 * what is `reconcilable` can be asked whether it happened.
 */
export function actorExecution<Input>(actor: Actor<Input>, input: Input): ActorExecution {
  const { reconcile } = actor;
  const effectClass = actor.effectClass(input);
  return {
    kind: 'actor',
    effectClass,
    execute: (call) => actor.execute(input, call),
    ...(reconcile && effectClass === 'reconcilable' ? { reconcile: (call: EffectCall) => reconcile(input, call) } : {}),
  };
}

/**
 * An effect that a function carries out, and that may be started again after a crash. With `reconcile` one that was
 * cancelled before the crash, and is not started again, is asked whether it happened.
 */
export const repeatableExecution = (
  execute: (call: EffectCall) => AsyncIterable<LoopEvent>,
  reconcile?: (call: EffectCall) => Promise<LoopEvent | null>,
): Execution => ({ kind: 'actor', effectClass: 'repeatable', execute, ...(reconcile ? { reconcile } : {}) });
