import { once } from 'node:events';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Actor, EffectCall } from '../actor.ts';

/**
 * Waits for a person. The answer does not come from here: it reaches the run as `person.answered`, from a terminal or
 * another process, now or in a week, and ends the waiting.
 *
 * @example
 * for await (const event of personActor().perform(null, call)) accept(event); // nothing, until it is told to stop
 */
export function personActor(): Actor<null> {
  return {
    effectClass: () => 'repeatable',
    async *perform(_input: null, { signal }: EffectCall): AsyncIterable<LoopEvent> {
      if (!signal.aborted) await once(signal, 'abort');
    },
  };
}
