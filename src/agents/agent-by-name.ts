import { quoted } from '../text/shell-words.ts';
import type { Actor } from '../actors/actor.ts';
import { acpAgent } from './acp/acp-agent.ts';
import { agentActor, type AgentInput } from './agent-actor.ts';
import { withSettingsFile } from './agent-cell.ts';
import { endingOf } from './agent-ending.ts';
import { agentOfModel } from '../../machines/agent-model.ts';
import { readAgentName } from './agent-name.ts';
import { doorsOfModel } from './agent-needs.ts';
import type { Agent, AgentEvent, AgentTask } from './agent-port.ts';
import type { McpServerSpec } from './mcp/server-spec.ts';
import type { Meter } from './meter/meter.ts';
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

/**
 * The actor that does the work of a step where an agent takes the place of a model; its calls to providers whose key
 * is known go through the meter. Null: it is a model.
 */
export function actorOfModel(
  model: string,
  meter: Meter,
  environment: Readonly<Record<string, string | undefined>>,
  servers: readonly McpServerSpec[] = [],
): Actor<AgentInput> | null {
  const name = agentOfModel(model);
  const agent = name === null ? null : agentNamed(name);
  if (name === null || !agent) return null;
  return agentActor(agent, name, { meter, doors: doorsOfModel(model, environment), servers });
}

function presetAgent(preset: Preset, model: string | null): Agent {
  return async function* work(task) {
    const { meter } = task;
    const keys = new Set(
      preset.providers.flatMap((one) => [one.addressVariable, ...one.keys.map((key) => key.variable)]),
    );
    // The real key is the meter's alone.
    const own = meter ? preset.passes.filter((name) => !keys.has(name)) : preset.passes;
    const passes = [...task.passes, ...own];
    const { session } = task;
    const words = session && preset.resumeWords?.(session.id);
    if (session && words) {
      const resumed = launched({ ...preset, words }, model, task)({ ...task, prompt: session.prompt, passes });
      if (yield* untilRefused(resumed)) return;
    }
    for await (const event of launched(preset, model, task)({ ...task, passes })) yield withInstall(event, preset);
  };
}

/** Passes on what an agent does in a session that goes on. Returns false where it has none of that id, and ends. */
async function* untilRefused(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent, boolean> {
  let hasBegun = false;
  for await (const event of events) {
    if (event.kind === 'ended' && !hasBegun && (event.ending.code === 'crashed' || event.ending.code === 'failed'))
      return false;
    hasBegun ||= event.kind !== 'ended' && event.kind !== 'usage';
    yield event;
  }
  return true;
}

const NOTHING_TOLD: ReturnType<Preset['metered']> = { words: [], environment: {} };

function launched(preset: Preset, model: string | null, { cell, meter, permissions }: AgentTask): Agent {
  const { adapter, words, openWords, walledWords, modelWords, environment, metered } = preset;
  const told = meter ? metered(meter.addresses, meter.key, model) : NOTHING_TOLD;
  const all = [
    ...words,
    ...(cell ? walledWords : openWords),
    ...told.words,
    ...(permissions ? (preset.ruleWords?.(permissions).words ?? []) : []),
    ...(model === null ? [] : modelWords(model)),
  ];
  const program = `exec ${all.map((word) => (word === '{task}' ? word : quoted(word))).join(' ')}`;
  const command = told.settings ? withSettingsFile(program, told.settings) : program;
  const launch = { command, environment: { ...environment(model), ...told.environment } };
  return adapter.kind === 'acp'
    ? acpAgent({ ...launch, login: adapter.login, session: adapter.session })
    : oneShotAgent({ ...launch, reading: adapter.reading });
}

/** An agent that is missing is said to be, with what installs it. */
function withInstall(event: AgentEvent, { title, install }: Preset): AgentEvent {
  if (event.kind !== 'ended' || event.ending.code !== 'not-installed') return event;
  return { kind: 'ended', ending: endingOf('not-installed', `${title} is installed by \`${install}\``) };
}
