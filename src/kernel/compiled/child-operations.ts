import { type AnyActor, type AnyActorLogic, type AnyActorRef, StateMachine } from 'xstate';
import type { Implementations, paramsOf } from './implementations.ts';
import { Uncompilable } from './uncompilable.ts';
import { UnstartedActor } from './idle-actor.ts';
import type { Operation, Work } from './work.ts';

/** A child as `invoke` and `spawnChild` write it. */
interface Started {
  readonly id?: unknown;
  readonly src?: unknown;
  readonly input?: unknown;
  readonly systemId?: unknown;
  readonly syncSnapshot?: boolean;
}

/** Starts a child by name. */
export function starting(written: object, { actors, self }: Implementations): Operation {
  const { id, src, input, systemId, syncSnapshot = false } = written as Started;
  // XState names an invoked actor that is written in place so.
  if (typeof src !== 'string' || src.startsWith('xstate.invoke.'))
    throw new Uncompilable('an actor without a name is started');
  if (typeof id !== 'string') throw new Uncompilable(`the actor ${src} is started without a fixed id`);
  if (systemId !== undefined) throw new Uncompilable(`the actor ${src} has a systemId`);
  const logic = actors[src];
  if (!logic) throw new Uncompilable(`the actor ${src} is not implemented`);
  if (logic instanceof StateMachine) throw new Uncompilable(`the actor ${src} is a machine itself`);
  return (work) => {
    const { context, event } = work;
    const given = typeof input === 'function' ? input({ context, event, self }) : input;
    const making = { parent: self, input: given, syncSnapshot };
    work.start(new UnstartedActor(id, src, logic as AnyActorLogic, making), given);
  };
}

/** Stops a child by its id, or by its reference. */
export function stopping(written: unknown, params: ReturnType<typeof paramsOf>, self: AnyActor): Operation {
  if (typeof written !== 'function') return (work) => work.stop(childOf(written, work));
  return (work) => work.stop(childOf(written(work.given(self), params?.(work)), work));
}

const childOf = (said: unknown, { children }: Work): AnyActorRef | undefined =>
  typeof said === 'string' ? children[said] : (said as AnyActorRef | undefined);
