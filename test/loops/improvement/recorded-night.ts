import type { LoopEvent } from '../../../machines/events.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';

const BEGIN_MS = Date.parse('2026-03-01T22:00:00.000Z');
const SECOND_MS = 1_000;

/** Events as facts of one run, a second apart. A settled child is of the newest experiment, unless it says which. */
export function recordedNight(events: readonly LoopEvent[]): readonly Fact[] {
  let lane = '';
  return events.map((event, index) => {
    if (event.type === 'experiment.started') lane = event.payload.candidate;
    const { type, payload } = event.type === 'child.settled' ? inLane(event, lane) : event;
    return {
      run: 'night',
      version: index + 1,
      at: new Date(BEGIN_MS + index * SECOND_MS).toISOString(),
      type,
      payload,
    } as unknown as Fact;
  });
}

const inLane = ({ type, payload }: Extract<LoopEvent, { type: 'child.settled' }>, lane: string) => ({
  type,
  payload: { lane, ...payload },
});
