import { once } from 'node:events';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Actor, EffectCall } from '../actor.ts';

/**
 * Waits for a person. The answer does not come from here: it reaches the run as a command, from a terminal or another
 * process, now or in a week, and ends the waiting.
 *
 * @example
 * for await (const event of personActor().execute(null, call)) accept(event); // nothing, until it is told to stop
 */
export function personActor(): Actor<null> {
  return {
    effectClass: () => 'repeatable',
    execute: (_input: null, { signal }: EffectCall): AsyncIterable<LoopEvent> => ({
      [Symbol.asyncIterator]: () => ({ next: () => silence(signal) }),
    }),
  };
}

/** Ends, without a word, when it is told to stop. */
async function silence(signal: AbortSignal): Promise<IteratorReturnResult<undefined>> {
  if (!signal.aborted) await once(signal, 'abort');
  return { done: true, value: undefined };
}
