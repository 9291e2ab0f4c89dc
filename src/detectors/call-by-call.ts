import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { type Detector, eventId, type Noticed } from './detector.ts';
import { strongest } from './strongest.ts';
import { isFreshStart } from './fresh-start.ts';

/** The state and the findings after one call. `id` is the answer that asks for it. */
type AfterCall<State> = (
  before: State,
  call: ToolCall,
  id: string,
) => { readonly state: State; readonly findings: readonly Finding[] };

/**
 * A detector that looks at calls one by one, as the model asks for them, and begins anew with a user message. It
 * reports the strongest finding of an answer.
 */
export function callByCall<State>(name: string, start: State, afterCall: AfterCall<State>): Detector<State> {
  return {
    name,
    init: () => start,
    step: (before, event): Noticed<State> => {
      if (isFreshStart(event)) return { state: start };
      if (event.type !== 'model.completed') return { state: before };
      const id = eventId(event);
      let state = before;
      const findings = event.payload.calls.flatMap((call) => {
        const after = afterCall(state, call, id);
        ({ state } = after);
        return after.findings;
      });
      return { state, ...strongest(findings) };
    },
  };
}
