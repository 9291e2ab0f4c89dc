import { z } from 'zod';
import type { AnyEvent, LoopEvent } from '../../machines/events.ts';
import type { LoopDefinition } from './loop-definition.ts';

/** A loop's definition made an event that its own vocabulary does not have. Nothing of it was recorded. */
class LoopAnswerError extends Error {
  override readonly name = 'LoopAnswerError';
  readonly loop: string;
  readonly event: string;

  constructor(loop: string, event: string, detail: string) {
    super(`${loop} made a ${event} that is no event of it: ${detail}. Mend its definition, and resume the run.`);
    this.loop = loop;
    this.event = event;
  }
}

/**
 * An event that a definition has made: its judge, the beginning of a round, an interruption. Those of loops that ship are
 * held by types and tests; of any other loop they are parsed. Throws a `LoopAnswerError`.
 */
export function madeBy({ id, events, module }: LoopDefinition, event: AnyEvent): LoopEvent {
  if (!module) return event as LoopEvent;
  const { success, data, error } = events.safeParse(event);
  if (!success) throw new LoopAnswerError(id, event.type, z.prettifyError(error));
  return data as LoopEvent;
}
