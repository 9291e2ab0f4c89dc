import type { LoopEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { Detector } from '../../src/detectors/detector.ts';

/** A detector with the same finding for every fact of a type; a block refuses all calls of the answer. */
export const noticing = (type: LoopEvent['type'], level: Finding['level'], name = 'own'): Detector => ({
  name,
  init: () => null,
  step: (state, event) => {
    if (event.type !== type) return { state };
    const calls =
      level === 'block' && event.type === 'model.completed'
        ? { calls: event.payload.calls.map(({ callId }) => callId) }
        : {};
    return {
      state,
      finding: {
        detector: name,
        level,
        count: 1,
        message: `${name} says ${level}`,
        evidence: [`${event.run}/${event.version}`],
        ...calls,
      },
    };
  },
});
