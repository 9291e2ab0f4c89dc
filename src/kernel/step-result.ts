import type { AnyMachineSnapshot, AnyTransitionDefinition } from 'xstate';

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
