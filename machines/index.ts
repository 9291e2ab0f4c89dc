import type { AnyStateMachine } from 'xstate';
import type { z } from 'zod';
import { IterationEvent, type LoopEvent, TurnEvent } from './events.ts';
import { iteration } from './iteration.machine.ts';
import { actorOf } from './life.ts';
import { turn } from './turn.machine.ts';

/** A machine as the log names it, with the only events it may be given. */
export interface CatalogueEntry {
  readonly id: `${string}@${string}`;
  readonly machine: AnyStateMachine;
  readonly events: z.ZodType;
  /** Which effect an event of its own is the result of, by the type of the one and the id of the other. */
  readonly settles?: Readonly<Record<string, string>>;
  /**
   * Events after which it will never be known what an effect has used, by type: the key of that effect. All that was set
   * aside for it counts as used.
   */
  readonly unaccounted?: Readonly<Record<string, (payload: never) => string>>;
  /** How its runs go on under a later version. Without one they stay with it to their end. */
  readonly migration?: Migration;
  /** Of a loop that does not ship: where it was loaded from, and the digest of its chart. Its runs record both. */
  readonly module?: { readonly path: string | null; readonly digest: string };
}

/** How a run of one version of a machine goes on under another: said once, and never changed after a run has taken it. */
export interface Migration {
  readonly to: CatalogueEntry;
  /** Pure. What is under way stays under way: no place may need an effect that the old one did not, or let one go. */
  readonly migrate: (snapshot: FrozenMachine) => FrozenMachine;
}

/** A machine's snapshot as JSON. Whatever a migration does not know of, it leaves as it is. */
export interface FrozenMachine {
  readonly value: unknown;
  readonly context: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The id of the effect whose result an event is. Null for facts that answer for nobody. */
export const answererOf = ({ settles }: CatalogueEntry, event: LoopEvent): string | null =>
  settles?.[event.type] ?? actorOf(event);

export const turnEntry = {
  id: 'turn@1',
  machine: turn,
  events: TurnEvent,
  unaccounted: { 'tool.interrupted': ({ callId }: { readonly callId: string }) => `call.${callId}` },
} as const satisfies CatalogueEntry;

export const iterationEntry = {
  id: 'iteration@1',
  machine: iteration,
  events: IterationEvent,
} as const satisfies CatalogueEntry;

/** Every machine that can fold a run: the newest of each loop, and past versions while runs need them. */
export const catalogue: readonly CatalogueEntry[] = [turnEntry, iterationEntry];

/** `reviewed` of `reviewed@2`. */
export const loopNameOf = (machine: string): string => machine.slice(0, machine.lastIndexOf('@'));
const versionOf = (machine: string): number => Number(machine.slice(machine.lastIndexOf('@') + 1));

/** The newest version of a loop, by its name. Undefined: no such loop. */
export function newestOf<Entry extends { readonly id: string }>(name: string, loops: readonly Entry[]): Entry | undefined {
  return loops.filter(({ id }) => loopNameOf(id) === name).toSorted((one, other) => versionOf(one.id) - versionOf(other.id)).at(-1);
}
