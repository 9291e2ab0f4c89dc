import type { AgentInput } from '../../../agents/agent-actor.ts';
import type { ModelRequest } from '../../../actors/model/model.ts';
import { agentOfModel } from '../../../../machines/agent-model.ts';
import { reachPlus } from '../../../../machines/command-reach.ts';
import type { TurnContext } from '../../../../machines/turn.machine.ts';
import type { RunSettings, Sandbox } from '../../../../machines/settings.ts';
import { leftFor } from '../../../budget/allowance.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { agentPrompt } from './agent-prompt.ts';
import type { TurnMemory } from '../memory.ts';
import { hooksBefore } from './with-hooks.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { callRuling } from '../../../permissions/call-ruling.ts';
import { ruledBy } from '../../call-permissions.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';

/**
 * The task of an agent of others: what a model would be told, but for the system prompt, which is about our tools, and
 * the instructions of the project, which such an agent reads by itself.
 */
export const agentInput = (
  { run, settings, state }: Pick<RunContext, 'run' | 'settings' | 'state'>,
  { messages, step }: Pick<ModelRequest, 'messages' | 'step'>,
  { permissions: memory, agent: past }: Pick<TurnMemory, 'agent' | 'permissions'>,
  { priceOf, sandboxes }: Pick<EffectServices, 'priceOf' | 'sandboxes'>,
): AgentInput => ({
  run,
  ...agentPrompt({
    messages,
    past,
    before: settings.session ?? null,
    name: agentOfModel(settings.model) ?? '',
  }),
  reports: (state.snapshot.context as TurnContext).reports,
  step,
  permissions: settings.permissions,
  lets: async (call, signal) => {
    const place = { run, directory: settings.directory, passes: settings.environment ?? [], signal };
    return (await hooksBefore(call, settings, place)).every(({ passed }) => passed);
  },
  ruling: (call) => callRuling(call, ruledBy(settings), memory),
  directory: settings.directory,
  passes: settings.environment ?? [],
  allowed: leftFor(lifeOf(state), 'model'),
  priceOf: (provider, model) => priceOf(`${provider}/${model}`).catch(() => null),
  walls: settings.sandbox ? entrance(run, settings, settings.sandbox, sandboxes) : null,
});

/** The entrance to the walls of a run for its agent, which may need more of the network than its commands. */
const entrance =
  (run: string, settings: RunSettings, sandbox: Sandbox, sandboxes: EffectServices['sandboxes']): AgentInput['walls'] =>
  async (reach) => {
    const network = reachPlus(sandbox.network, reach);
    const walls = await sandboxes.enter(run, { ...settings, sandbox: { ...sandbox, network } });
    if ('missing' in walls) return walls;
    const { directory } = settings;
    return { enter: (command, environment) => walls.enter({ command, directory, environment }) };
  };
