import type { LoopEvent } from '../../../../machines/events.ts';
import type { Actor, EffectCall } from '../../../actors/actor.ts';
import type { Execution } from '../../../kernel/effect-handlers.ts';

/** An effect that an actor carries out, with its input. The actor says the class: it may depend on the input. */
export function actorExecution<Input>(actor: Actor<Input>, input: Input): Execution {
  const { reconcile } = actor;
  return {
    kind: 'actor',
    effectClass: actor.effectClass(input),
    execute: (call) => actor.execute(input, call),
    ...(reconcile ? { reconcile: (call: EffectCall) => reconcile(input, call) } : {}),
  };
}

/** An effect that a function carries out, and that may be started again after a crash. */
export const repeatableExecution = (execute: (call: EffectCall) => AsyncIterable<LoopEvent>): Execution => ({
  kind: 'actor',
  effectClass: 'repeatable',
  execute,
});
