import type { z } from 'zod';
import type { AnyEvent } from '../../machines/events.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';

/** A loop that keeps the rules, with the type of its events. `defineLoop` makes it. */
export interface Loop<Event extends AnyEvent = AnyEvent> extends LoopDefinition {
  readonly events: z.ZodType<Event>;
}
