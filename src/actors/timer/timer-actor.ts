import type { EventOf } from '../../../machines/events.ts';
import type { Actor } from '../actor.ts';
import type { Clock } from './clock.ts';

export interface TimerInput {
  readonly timer: EventOf<'timer.fired'>['payload']['timer'];
  /** RFC 3339; null never comes. A time that has passed comes at once. */
  readonly dueAt: string | null;
}

/**
 * Waits until a time, by the clock that recorded it, and says so with `timer.fired`. Told to stop, it ends without a
 * result.
 *
 * @example
 * const timer = timerActor(systemClock);
 * const input: TimerInput = { timer: 'deadline', dueAt: '2030-01-01T00:00:00.000Z' };
 * for await (const fired of timer.execute(input, call)) accept(fired);
 */
export function timerActor(clock: Clock): Actor<TimerInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute({ timer, dueAt }, { signal, now = clock.now }) {
      const leftMs = dueAt === null ? Infinity : Date.parse(dueAt) - now();
      await clock.sleepUntil(clock.now() + leftMs, signal);
      if (!signal.aborted) yield { type: 'timer.fired', payload: { timer } };
    },
  };
}
