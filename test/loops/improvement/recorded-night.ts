import type { LoopEvent } from '../../../machines/events.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';

const BEGIN_MS = Date.parse('2026-03-01T22:00:00.000Z');
const SECOND_MS = 1_000;

/** Events as facts of one run, a second apart. */
export const recordedNight = (events: readonly LoopEvent[]): readonly Fact[] =>
  events.map(
    (event, index) =>
      ({
        run: 'night',
        version: index + 1,
        at: new Date(BEGIN_MS + index * SECOND_MS).toISOString(),
        ...event,
      }) as unknown as Fact,
  );
