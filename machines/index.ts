import type { AnyStateMachine } from 'xstate';
import type { z } from 'zod';
import { settlesInContest } from './contest-lanes.ts';
import { contest } from './contest.machine.ts';
import { ContestEvent, ImprovementEvent, IterationEvent, type LoopEvent, RalphEvent, TurnEvent } from './events.ts';
import { improvement } from './improvement.machine.ts';
import { settles } from './improvement-progress.ts';
import { iteration } from './iteration.machine.ts';
import { actorOf } from './life.ts';
import { ralph } from './ralph.machine.ts';
import { turn } from './turn.machine.ts';

/** A machine under the name that logs have for it, with the only events it accepts. */
export interface CatalogueEntry {
  readonly id: `${string}@${string}`;
  readonly machine: AnyStateMachine;
  readonly events: z.ZodType;
  /** Which effect an event of the loop's own is the result of: effect ids by event type. */
  readonly settles?: Readonly<Record<string, string>>;
  /**
   * Types of shared events that effects of this loop also report on their way: results where the effect that every loop
   * has them from is outstanding, and else none.
   */
  readonly alongside?: readonly string[];
  /**
   * Events after which the usage of an effect can no longer be known, by type: the key of that effect. Its whole
   * reservation counts as used.
   */
  readonly unaccounted?: Readonly<Record<string, (payload: never) => string>>;
  /** Effects that queue, by the names of their actors: at most `settings.maxParallel` of them run at once. */
  readonly queues?: readonly string[];
  /** How its runs migrate to a later version. Without one, they stay with this version to their end. */
  readonly migration?: Migration;
  /** Only for loops that do not ship: the path of the module and the digest of the chart. Its runs record both. */
  readonly module?: { readonly path: string | null; readonly digest: string };
}

/**
 * How a run migrates from one version of a machine to another. Never changed after a run has migrated by it.
 */
export interface Migration {
  readonly to: CatalogueEntry;
  /** Pure. Running effects keep running: the new state needs exactly the effects that the old one needed. */
  readonly migrate: (snapshot: FrozenMachine) => FrozenMachine;
}

/** A machine's snapshot as JSON. A migration leaves members that it does not know unchanged. */
export interface FrozenMachine {
  readonly value: unknown;
  readonly context: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The id of the effect whose result an event is. Null for events that are no results. */
export const answererOf = ({ settles }: CatalogueEntry, event: LoopEvent): string | null =>
  settles?.[event.type] ?? actorOf(event);

export const turnEntry = {
  id: 'turn@1',
  machine: turn,
  events: TurnEvent,
  unaccounted: { 'tool.interrupted': ({ callId }: { readonly callId: string }) => `call.${callId}` },
  queues: ['runTool', 'runAgent'],
} as const satisfies CatalogueEntry;

export const iterationEntry = {
  id: 'iteration@1',
  machine: iteration,
  events: IterationEvent,
} as const satisfies CatalogueEntry;

export const ralphEntry = {
  id: 'ralph@1',
  machine: ralph,
  events: RalphEvent,
} as const satisfies CatalogueEntry;

export const improvementEntry = {
  id: 'improvement@1',
  machine: improvement,
  events: ImprovementEvent,
  settles,
  alongside: ['workspace.captured', 'workspace.failed', 'verification.completed', 'baseline.taken'],
} as const satisfies CatalogueEntry;

export const contestEntry = {
  id: 'contest@1',
  machine: contest,
  events: ContestEvent,
  settles: settlesInContest,
} as const satisfies CatalogueEntry;

/** Every machine that can fold a run: the newest of each loop, and past versions while runs need them. */
export const catalogue: readonly CatalogueEntry[] = [
  turnEntry,
  iterationEntry,
  ralphEntry,
  improvementEntry,
  contestEntry,
];

/** `reviewed` of `reviewed@2`. */
export const loopNameOf = (machine: string): string => machine.slice(0, machine.lastIndexOf('@'));
const versionOf = (machine: string): number => Number(machine.slice(machine.lastIndexOf('@') + 1));

/** The newest version of a loop, by its name. Undefined: no such loop. */
export function newestOf<Entry extends { readonly id: string }>(
  name: string,
  loops: readonly Entry[],
): Entry | undefined {
  return loops
    .filter(({ id }) => loopNameOf(id) === name)
    .toSorted((one, other) => versionOf(one.id) - versionOf(other.id))
    .at(-1);
}
