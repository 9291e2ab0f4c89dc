import { z } from 'zod';
import type { AnyEvent, LoopEvent } from '../../machines/events.ts';
import type { LoopDefinition } from './loop-definition.ts';

/** A loop's definition made an event that its own vocabulary does not have. The event was not recorded. */
class LoopAnswerError extends Error {
  override readonly name = 'LoopAnswerError';
  readonly loop: string;
  readonly event: string;

  constructor(loop: string, event: string, detail: string) {
    super(`${loop} made a ${event} that is no event of it: ${detail}. Fix its definition, and resume the run.`);
    this.loop = loop;
    this.event = event;
  }
}

/**
 * Checks an event that a definition has made: its judge, the beginning of a round, an interruption. Events of shipped
 * loops are checked by types and tests; those of any other loop are parsed. Throws a `LoopAnswerError`.
 */
export function madeBy({ id, events, module }: LoopDefinition, event: AnyEvent): LoopEvent {
  if (!module) return event as LoopEvent;
  const { success, data, error } = events.safeParse(event);
  if (!success) throw new LoopAnswerError(id, event.type, z.prettifyError(error));
  return data as LoopEvent;
}
