import { assignment } from './assignment.ts';
import { enqueued } from './enqueue-actions.ts';
import { implementationOf, type Implementations, nameOf, paramsOf } from './implementations.ts';
import { starting, stopping } from './child-operations.ts';
import { Uncompilable } from './uncompilable.ts';
import type { Operation } from './work.ts';

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
