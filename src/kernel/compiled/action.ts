import { assignment } from './assignment.ts';
import { implementationOf, type Implementations, nameOf, paramsOf } from './implementations.ts';
import { Uncompilable } from './uncompilable.ts';
import type { Operation, Work } from './work.ts';
import { compileGuard } from './guard.ts';
import { type AnyActor, type AnyActorLogic, type AnyActorRef, StateMachine } from 'xstate';
import { UnstartedActor } from './idle-actor.ts';

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

/** What is read of an action that XState provides. Internal to the pinned version. */
interface BuiltIn {
  readonly type: string;
  readonly assignment?: unknown;
  readonly actorRef?: unknown;
  readonly collect?: unknown;
}

/** An action of a chart as one operation; null for one that changes nothing while a run is folded. */
function compileAction(written: unknown, implementations: Implementations): Operation | null {
  const action = implementationOf(written, implementations.actions);
  const params = paramsOf(written);
  // A function of the user's own is only named here: XState would execute it in a started actor.
  if (!isBuiltIn(action)) return params && (({ context, event }) => void params({ context, event }));
  switch (action.type) {
    case 'xstate.assign':
      return assignment(action.assignment, params, implementations.self);
    case 'xstate.stopChild':
      return stopping(action.actorRef, params, implementations.self);
    case 'xstate.spawnChild':
      return starting(action, implementations);
    case 'xstate.enqueueActions':
      return enqueued(action.collect, params, implementations, compileAction);
    default:
      throw new Uncompilable(
        `${typeof written === 'function' ? 'an action' : `the action ${nameOf(written)}`} is ${action.type}`,
      );
  }
}

const isBuiltIn = (action: unknown): action is BuiltIn =>
  (typeof action === 'function' || (typeof action === 'object' && action !== null)) && 'resolve' in action;

/** Actions in order. */
export const compileActions = (written: readonly unknown[], implementations: Implementations): Operation[] =>
  written.map((action) => compileAction(action, implementations)).filter((operation) => operation !== null);

type Collect = (given: object, params: unknown) => void;
type Compile = (written: unknown, implementations: Implementations) => Operation | null;

/** An `enqueueActions`: its function says for each event which actions follow. */
function enqueued(
  written: unknown,
  params: ReturnType<typeof paramsOf>,
  implementations: Implementations,
  compile: Compile,
): Operation {
  const collect = written as Collect;
  const { self } = implementations;
  return (work) => {
    const queue: (Operation | null)[] = [];
    const { context, event } = work;
    const enqueue = queueing(queue, work, implementations, compile);
    const check = (guard: unknown) => orLeft(work, () => compileGuard(guard, implementations))(context, event);
    collect({ ...work.given(self), enqueue, check }, params?.(work));
    for (const operation of queue) operation?.(work);
  };
}

function queueing(queue: (Operation | null)[], work: Work, implementations: Implementations, compile: Compile) {
  const { self } = implementations;
  const { leave } = work;
  const push = (compiled: () => Operation | null) => void queue.push(orLeft(work, compiled));
  return Object.assign((action: unknown) => push(() => compile(action, implementations)), {
    assign: (update: unknown) => push(() => assignment(update, null, self)),
    stopChild: (child: unknown) => push(() => stopping(child, null, self)),
    spawnChild: (src: unknown, options: object = {}) => push(() => starting({ ...options, src }, implementations)),
    cancel: leave,
    emit: leave,
    raise: leave,
    sendParent: leave,
    sendTo: leave,
  });
}

/** What cannot be compiled shows only now: the step is left to XState. */
function orLeft<Result>({ leave }: Work, compiled: () => Result): Result {
  try {
    return compiled();
  } catch {
    return leave();
  }
}
