import type { z } from 'zod';
import type { AnyEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { isMachine } from './lint/definition-rules.ts';
import { lint } from './lint/lint.ts';
import { LoopRuleError } from './lint/loop-rule-error.ts';

/** What makes a machine a loop. */
export interface LoopDefinition<Event extends AnyEvent> {
  /** Made by XState's `setup({…}).createMachine({…})`, with an `id` and a `version`. */
  readonly machine: CatalogueEntry['machine'];
  /** All that can happen to it: a discriminated union of facts. */
  readonly events: z.ZodType<Event>;
  /** Which effect an event of its own is the result of: `{ 'review.given': 'review' }`. */
  readonly settles?: Readonly<Record<string, string>>;
}

/** A loop that keeps the rules, as a log names it: `reviewed@1`. */
export interface Loop<Event extends AnyEvent = AnyEvent> extends CatalogueEntry {
  readonly events: z.ZodType<Event>;
}

/** Stands in an error where a definition has no machine that could name its loop. */
const NAMELESS = 'the loop@';

/**
 * Makes a loop of a machine. Throws `LoopRuleError`, with every rule that it breaks, where, and what to do about it.
 *
 * @example
 * const loop = defineLoop({ machine: reviewed, events: ReviewedEvent, settles: { 'review.given': 'review' } });
 */
export function defineLoop<Event extends AnyEvent>(written: LoopDefinition<Event>): Loop<Event> {
  const { machine, ...definition } = { ...written };
  const loop: Loop<Event> = { id: isMachine(machine) ? `${machine.id}@${machine.config.version ?? ''}` : NAMELESS, machine, ...definition };
  const offences = lint(loop);
  if (offences.length > 0) throw new LoopRuleError(loop.id, offences);
  return loop;
}
