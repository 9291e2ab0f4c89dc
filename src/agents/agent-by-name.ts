import { quoted } from '../text/shell-words.ts';
import type { Actor } from '../actors/actor.ts';
import { acpAgent } from './acp/acp-agent.ts';
import { agentActor, type AgentInput } from './agent-actor.ts';
import { endingOf } from './agent-ending.ts';
import { agentOfModel, readAgentName } from './agent-name.ts';
import type { Agent, AgentEvent } from './agent-port.ts';
import { oneShotAgent } from './one-shot/one-shot-agent.ts';
import type { Preset } from './presets/preset.ts';

/**
 * The agent of that name. Null: no agent has it.
 *
 * @example
 * agentNamed('claude');
 */
export function agentNamed(name: string): Agent | null {
  const named = readAgentName(name);
  switch (named?.kind) {
    case 'preset':
      return presetAgent(named.preset, named.model);
    case 'acp':
      return acpAgent({ command: named.command, environment: {}, login: null, session: null });
    case 'cmd':
      return oneShotAgent({ command: named.command, environment: {}, reading: null });
    default:
      return null;
  }
}

/** The actor that does the work of a step where an agent takes the place of a model. Null: it is a model. */
export function actorOfModel(model: string): Actor<AgentInput> | null {
  const name = agentOfModel(model);
  const agent = name === null ? null : agentNamed(name);
  return name !== null && agent ? agentActor(agent, name) : null;
}

function presetAgent(preset: Preset, model: string | null): Agent {
  return async function* work(task) {
    const passes = [...task.passes, ...preset.passes];
    for await (const event of launched(preset, model)({ ...task, passes })) yield withInstall(event, preset);
  };
}

function launched({ adapter, words, modelWords, environment }: Preset, model: string | null): Agent {
  const all = [...words, ...(model === null ? [] : modelWords(model))];
  const command = `exec ${all.map((word) => (word === '{task}' ? word : quoted(word))).join(' ')}`;
  const launch = { command, environment: environment(model) };
  return adapter.kind === 'acp'
    ? acpAgent({ ...launch, login: adapter.login, session: adapter.session })
    : oneShotAgent({ ...launch, reading: adapter.reading });
}

/** An agent that is missing is said to be, with what installs it. */
function withInstall(event: AgentEvent, { title, install }: Preset): AgentEvent {
  if (event.kind !== 'ended' || event.ending.code !== 'not-installed') return event;
  return { kind: 'ended', ending: endingOf('not-installed', `${title} is installed by \`${install}\``) };
}
