import type { z } from 'zod';
import type { AnyEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { LoopDescription } from '../kernel/loop-description.ts';

/** A loop as its author writes it: its machine, its events, and whatever else differs from a loop of attempts. */
export interface WrittenLoop<Event extends AnyEvent = AnyEvent> extends Partial<
  Omit<LoopDefinition, 'id' | 'machine' | 'events' | 'module' | 'describe'>
> {
  /** Made by XState's `setup({…}).createMachine({…})`, with an `id` and a `version`. */
  readonly machine: CatalogueEntry['machine'];
  /** All that can happen to it: a discriminated union of facts. */
  readonly events: z.ZodType<Event>;
  /** How people read its events. What is left out is as in a loop of attempts. */
  readonly describe?: Partial<LoopDescription>;
}
