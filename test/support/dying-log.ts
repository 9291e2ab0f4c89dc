import type { LoopEvent } from '../../machines/events.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { aroundAppend } from './around-append.ts';
import { fakeClock } from './fake-clock.ts';
import { never } from './stand-ins.ts';

/**
 * A log whose process dies as soon as such a fact is durable. The log and its runs take the time from the clock.
 */
export function dyingAt(type: LoopEvent['type']) {
  const clock = fakeClock();
  const log = memoryLog({ now: clock.now });
  let dead = false;
  const dying = aroundAppend(log, async (request, append) => {
    if (dead) return never();
    const appended = await append(request);
    dead = request.events.some((event) => event.type === type);
    return dead ? never() : appended;
  });
  return { clock, log, dying };
}
