import type { LoopEvent, Recorded } from '../../machines/events.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import { fold, type RunState } from '../../src/kernel/fold.ts';
import type { Happening } from '../../src/testing/random-walk.ts';

/** The events of a batch as the log has them, folded anew. */
export function reread(before: RunState, events: readonly NewEvent[]): Happening[] {
  let state = before;
  return events.map(({ type, payload, at, causation }) => {
    const event = { type, payload, at, version: state.version + 1 } as unknown as Recorded<LoopEvent>;
    const happening = { event, causation, before: state, after: fold(state, event) };
    state = happening.after;
    return happening;
  });
}
