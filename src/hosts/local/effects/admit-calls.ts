import { admitted, CALL_ACTORS } from '../../../loops/turn/admission.ts';
import type { ToolServices } from '../services/tool-services.ts';
import type { LocalEffect } from './local-effect.ts';

/** Decides which calls of an answer run, and who answers each: a tool, a person or a child run. Always pure. */
export const admitCalls = ({ callKind }: Pick<ToolServices, 'callKind'>): LocalEffect => ({
  decide: ({ context, memory }) => ({
    type: 'calls.admitted',
    payload: admitted(context, memory.judge, (call) => CALL_ACTORS[callKind(call, context.settings.tools)]),
  }),
});
