import type { EventOf } from '../../../../machines/events.ts';
import type { Interruption } from '../../../kernel/effect-spec.ts';
import type { Outstanding } from '../../../kernel/fold.ts';
import { askPerson } from '../../shared/effects/ask-person.ts';
import { runChild } from '../../shared/effects/run-child.ts';
import { requestedCall, type TurnMemory } from '../memory.ts';
import { type Guard, inWorktree } from '../../shared/effects/in-worktree.ts';
import { askingAboutWalls } from './ask-about-walls.ts';
import { callPlace } from './call-place.ts';
import { whereItLeads } from './where-it-leads.ts';
import { readsOnly } from './may-write.ts';
import type { Effect, EffectWork } from '../../shared/effect.ts';
import type { RunWorkspaces } from '../../../ports/run-workspaces.ts';
import type { EffectServices } from '../../../ports/services.ts';

type Running = Pick<EffectServices, 'tools' | 'sandboxes' | 'workspaces'>;

/** Runs the tool of one admitted call, in the run's workspace. */
const runTool = ({ tools, sandboxes, workspaces }: Running): EffectWork =>
  inWorktree(({ effect, context: { run, settings }, memory }) => {
    const call = requestedCall(memory, effect.input['callId']);
    if (!call) throw new Error(`${run}: no answer asked for call ${effect.input['callId']}`);
    const { servers, walls } = memory.judge.own as TurnMemory;
    const place = callPlace(call, { run, settings, memory, sandboxes });
    const asked = { answers: servers.answersTo(call), isAttended: settings.permissions?.unattended !== true };
    const actor = askingAboutWalls(tools(settings.tools), call, { settings, walls });
    return whereItLeads(actor, { ...call, ...place, asked }, settings, run);
  }, toolGuard(workspaces));

const toolGuard = ({ goneFault, sharedFault }: RunWorkspaces): Guard => ({
  look: goneFault,
  answer: (fault, { effect }) => ({
    type: 'tool.failed',
    payload: { callId: effect.input['callId'] ?? '', fault },
  }),
  // The run may end with this call: a run that has ended records nothing more.
  lookAfter: async (isolation, { effect, memory }) =>
    readsOnly(requestedCall(memory, effect.input['callId'])?.tool) ? null : sharedFault(isolation),
});

const interrupted = ({ key }: Outstanding, { reason }: Interruption): EventOf<'tool.interrupted'> => ({
  type: 'tool.interrupted',
  payload: { callId: key.slice('call.'.length), reason },
});

// A call of the model is answered by a tool, by a person, or by a run of its own.
export const toolCall: Effect = { class: 'by input', interrupted, handler: runTool };
export const question: Effect = { class: 'repeatable', asksPerson: true, interrupted, handler: askPerson };
export const delegation: Effect = { class: 'child', interrupted, handler: runChild };
