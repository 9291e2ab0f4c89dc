import type { CommandRequest } from '../../../actors/subprocess.ts';
import type { Services } from '../services.ts';
import { requestedCall } from './requested-call.ts';
import { goneFault, sharedFault } from '../isolation/worktree-fault.ts';
import { readsOnly } from '../may-write.ts';
import { actorExecution } from './execution.ts';
import { type Guard, inWorktree } from './in-worktree.ts';
import type { LocalEffect } from './local-effect.ts';

/** Runs the tool of one admitted call, in the run's workspace. */
export const runTool = ({ tools, sandboxes }: Pick<Services, 'tools' | 'sandboxes'>): LocalEffect =>
  inWorktree(({ effect, context: { run, settings }, memory }) => {
    const { directory, environment = [] } = settings;
    const call = requestedCall(memory, effect.input['callId']);
    if (!call) throw new Error(`${run}: no answer asked for call ${effect.input['callId']}`);
    const walled = settings.sandbox
      ? { runCommand: (request: CommandRequest) => sandboxes.run(settings, { ...request, run }) }
      : {};
    const place = { directory, environment, readable: memory.readable, ...walled };
    return actorExecution(tools(settings.tools), { ...call, ...place });
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
