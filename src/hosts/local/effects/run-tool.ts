import type { ToolServices } from '../services/tool-services.ts';
import { requestedCall } from './requested-call.ts';
import { goneFault, sharedFault } from '../isolation/worktree-fault.ts';
import { readsOnly } from '../may-write.ts';
import { actorExecution } from './execution.ts';
import { type Guard, inWorktree } from './in-worktree.ts';
import type { LocalEffect } from './local-effect.ts';

/** Runs the tool of one admitted call, in the run's workspace. */
export const runTool = ({ tools }: Pick<ToolServices, 'tools'>): LocalEffect =>
  inWorktree(({ effect, context: { run, settings }, memory }) => {
    const { directory, environment = [] } = settings;
    const call = requestedCall(memory, effect.input['callId']);
    if (!call) throw new Error(`${run}: no answer asked for call ${effect.input['callId']}`);
    return actorExecution(tools(settings.tools), { ...call, directory, environment, readable: memory.readable });
  }, TOOL_GUARD);

const TOOL_GUARD: Guard = {
  look: goneFault,
  answer: (fault, { effect }) => ({
    type: 'tool.failed',
    payload: { callId: effect.input['callId'] ?? '', fault },
  }),
  // The run may end with this call: a run that has ended records nothing more.
  lookAfter: async (isolation, { effect, memory }) =>
    readsOnly(requestedCall(memory, effect.input['callId'])?.tool) ? null : sharedFault(isolation),
};
