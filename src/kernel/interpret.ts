import {
  type AnyActor,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createActor,
} from 'xstate';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import type { Opening } from '../../machines/life.ts';

// Steps as XState takes them: the reference for compiled machines (compiled/), and what takes the steps of machines
// that are not compiled.

/** What one event does to a machine. Throws what its guards and actions throw. */
export function interpret(machine: AnyStateMachine, snapshot: AnyMachineSnapshot, event: Recorded<LoopEvent>): Stepped {
  const scope = scopeOf(machine);
  const next = machine.transition(snapshot, event, scope);
  return { snapshot: next, effects: scope.collected() };
}

/** The snapshot of a machine whose run has just been started. Throws what its functions throw. */
export function begin(machine: AnyStateMachine, started: Opening['started']): Stepped {
  const scope = scopeOf(machine);
  const snapshot = machine.getInitialSnapshot(scope, { started } satisfies Opening);
  // XState throws errors of later transitions, and keeps those of the initial one.
  if (snapshot.status === 'error') throw snapshot.error;
  return { snapshot, effects: scope.collected() };
}

/** The part of XState's inspection events that is read here. Internal to the pinned version. */
interface Inspected {
  readonly type: string;
  readonly _transitions?: readonly AnyTransitionDefinition[];
}

/** `interpret`, and the transitions that the event takes. */
export function interpretTraced(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: Recorded<LoopEvent>,
): Traced {
  const scope = scopeOf(machine);
  const transitions: AnyTransitionDefinition[] = [];
  const _sendInspectionEvent = (seen: Inspected): void => {
    if (seen.type === '@xstate.microstep') transitions.push(...(seen._transitions ?? []));
  };
  const system: AnyActorScope['system'] = Object.assign(Object.create(scope.system), { _sendInspectionEvent });
  const next = machine.transition(snapshot, event, { ...scope, system });
  return { snapshot: next, effects: scope.collected(), transitions };
}

/** What XState hands to the functions of a machine as itself. It is never started. */
export const selfOf = (machine: AnyStateMachine): AnyActor => scopeOf(machine).self;

type Action = Parameters<NonNullable<AnyActorScope['actionExecutor']>>[0];
type CollectingScope = AnyActorScope & { readonly self: AnyActor; collected(): Effect[] };

/**
 * XState's own `transition` builds an actor scope for every event, which costs more than the transition. One scope a
 * machine serves all: it only collects actions. Its shape is internal to the pinned version; a test compares both ways.
 */
const scopes = new WeakMap<AnyStateMachine, CollectingScope>();

/**
 * One event takes a few transitions. A machine that never comes to rest throws, where XState alone would loop for ever.
 */
const MAX_TRANSITIONS_AN_EVENT = 1_000;

function scopeOf(machine: AnyStateMachine): CollectingScope {
  const known = scopes.get(machine);
  if (known) {
    // A transition that threw has left its effects behind.
    known.collected();
    return known;
  }
  machine.options.maxIterations = Math.min(machine.options.maxIterations ?? Infinity, MAX_TRANSITIONS_AN_EVENT);
  const self = createActor(machine) as AnyActor;
  let effects: Effect[] = [];
  const nothing = () => {};
  const scope: CollectingScope = {
    self,
    id: '',
    sessionId: '',
    system: self.system,
    logger: nothing,
    defer: nothing,
    stopChild: nothing,
    emit: nothing,
    actionExecutor: (action: Action) => effects.push(...effectOf(action)),
    collected() {
      const collected = effects;
      effects = [];
      return collected;
    },
  };
  scopes.set(machine, scope);
  return scope;
}

function effectOf({ type, params }: Action): Effect[] {
  switch (type) {
    case 'xstate.spawnChild': {
      const { id, src, input } = params as { id: string; src: string; input?: EffectInput };
      return [{ kind: 'start', key: id, actor: src, input: input ?? {} }];
    }
    case 'xstate.stopChild': {
      // A child that is gone already comes without params: there is nothing to stop.
      const child = params as { id: string } | undefined;
      return child ? [{ kind: 'stop', key: child.id }] : [];
    }
    default:
      return [];
  }
}

/** The snapshot of a machine. Only `begin`, `step` and `thaw` make one. */
export type MachineSnapshot = AnyMachineSnapshot;

/** A request of a machine to the outside. It is data: nothing has started yet. */
export type Effect =
  | { readonly kind: 'start'; readonly key: string; readonly actor: string; readonly input: EffectInput }
  | { readonly kind: 'stop'; readonly key: string };

/** References only: contents are looked up in the log. */
export type EffectInput = { readonly [reference: string]: string };

export interface Stepped {
  readonly snapshot: MachineSnapshot;
  readonly effects: readonly Effect[];
}

/** A step with the transitions that it took, in order: first the event's own, then those that need none. */
export interface Traced extends Stepped {
  readonly transitions: readonly AnyTransitionDefinition[];
}
