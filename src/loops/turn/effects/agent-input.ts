import type { AgentInput } from '../../../agents/agent-actor.ts';
import type { Message, ModelRequest } from '../../../actors/model/model.ts';
import { reachPlus } from '../../../../machines/command-reach.ts';
import type { RunSettings, Sandbox } from '../../../../machines/settings.ts';
import { leftFor } from '../../../budget/allowance.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { hooksBefore } from './with-hooks.ts';
import type { CommandWalls } from '../../../ports/effect-tools.ts';
import type { EffectServices } from '../../../ports/effect-services.ts';
import { callRuling } from '../../../permissions/call-ruling.ts';
import type { PermissionMemory } from '../../../permissions/permission-memory.ts';
import { ruledBy } from '../../call-permissions.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';

/**
 * The task of an agent of others: what a model would be told, but for the system prompt, which is about our tools, and
 * the instructions of the project, which such an agent reads by itself.
 */
export const agentInput = (
  { run, settings, state }: Pick<RunContext, 'run' | 'settings' | 'state'>,
  { messages, step }: Pick<ModelRequest, 'messages' | 'step'>,
  memory: PermissionMemory,
  { priceOf, sandboxes }: Pick<EffectServices, 'priceOf' | 'sandboxes'>,
): AgentInput => ({
  run,
  prompt: promptOf(messages),
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
  (run: string, settings: RunSettings, sandbox: Sandbox, sandboxes: CommandWalls): AgentInput['walls'] =>
  async (reach) => {
    const network = reachPlus(sandbox.network, reach);
    const walls = await sandboxes.enter(run, { ...settings, sandbox: { ...sandbox, network } });
    if ('missing' in walls) return walls;
    const { directory } = settings;
    return { enter: (command, environment) => walls.enter({ command, directory, environment }) };
  };

/** Each prompt begins a session: where there was a conversation, it is told again. */
function promptOf(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role !== 'user');
  const asked = messages.slice(last + 1).map(textOf);
  const before = messages.slice(0, last + 1).map((message) => `${SPEAKERS[message.role]}:\n${textOf(message)}`);
  const told = before.length === 0 ? [] : ['What was said before:', ...before, 'What is asked now:'];
  return [...told, ...asked].join('\n\n');
}

const SPEAKERS = { user: 'The task', assistant: 'You', tool: 'A tool' } as const;

const textOf = (message: Message): string => (message.role === 'tool' ? message.output : message.text);
