import type { Effect } from '../../shared/effect.ts';
import { admitted, CALL_ACTORS } from '../admission.ts';

/** Decides which calls of an answer run, and who answers each: a tool, a person or a child run. Always pure. */
export const admission: Effect = {
  class: 'repeatable',
  interrupted: null,
  decide: (context, memory, { callKind }) => ({
    type: 'calls.admitted',
    payload: admitted(context, memory, (call) => CALL_ACTORS[callKind(call, context.settings.tools)]),
  }),
};
