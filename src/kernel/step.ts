import { type AnyMachineSnapshot, type AnyStateMachine, type AnyTransitionDefinition, createActor } from 'xstate';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import type { Json } from '../log/envelope.ts';
import { compiledOf } from './compiled/compile.ts';
import { interpret, interpretTraced, selfOf, type Stepped, type Traced } from './interpret.ts';

export { begin } from './interpret.ts';
export type { Effect, EffectInput, MachineSnapshot, Stepped, Traced } from './interpret.ts';

/** Whether a machine in this state takes this event. XState swallows what it does not expect: ask before you append. */
export function refusal(snapshot: AnyMachineSnapshot, event: Recorded<LoopEvent>): 'ended' | 'unexpected' | null {
  if (snapshot.status !== 'active') return 'ended';
  const takes = compiledOf(snapshot.machine)?.takes(snapshot, event) ?? snapshot.can(event);
  return takes ? null : 'unexpected';
}

/**
 * What one event does to a machine: the next snapshot, and the effects it asks for in order. Pure.
 *
 * The event must be one that `refusal` lets pass, or one that the log already holds.
 */
export const step = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot, event: Recorded<LoopEvent>): Stepped =>
  compiledOf(snapshot.machine)?.step(snapshot, event) ?? interpret(machine, snapshot, event);

/** `step`, and the transitions that the event takes. */
export function tracedStep(machine: AnyStateMachine, snapshot: AnyMachineSnapshot, event: Recorded<LoopEvent>): Traced {
  const transitions: AnyTransitionDefinition[] = [];
  const stepped = compiledOf(snapshot.machine)?.step(snapshot, event, transitions);
  return stepped ? { ...stepped, transitions } : interpretTraced(machine, snapshot, event);
}

/** The transitions that one event takes, also one that the machine refuses. */
export const taken = (
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: Recorded<LoopEvent>,
): readonly AnyTransitionDefinition[] => tracedStep(machine, snapshot, event).transitions;

/** A snapshot as JSON, and back. Neither starts anything: an actor is built around it and thrown away. */
export const freeze = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot): Json =>
  JSON.parse(JSON.stringify(machine.getPersistedSnapshot(snapshot)));

export const thaw = (machine: AnyStateMachine, frozen: Json): AnyMachineSnapshot =>
  createActor(machine, { snapshot: frozen as never }).getSnapshot();

/** The fields of a machine's context today: a frozen context that lacks one comes from an earlier version. */
export const contextFields = (machine: AnyStateMachine): readonly string[] =>
  Object.keys(selfOf(machine).getSnapshot().context as object);
