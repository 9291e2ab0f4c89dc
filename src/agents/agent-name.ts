import { claude } from './presets/claude.ts';
import { codex } from './presets/codex.ts';
import { copilot } from './presets/copilot.ts';
import { gemini } from './presets/gemini.ts';
import { opencode } from './presets/opencode.ts';
import type { Preset } from './presets/preset.ts';
import { qwen } from './presets/qwen.ts';

/** The agents that have a name here. */
export const PRESETS: readonly Preset[] = [claude, codex, opencode, gemini, qwen, copilot];

/** The agent that a name stands for: one that is known here, with a model, or a command that is spoken to in a way. */
export type NamedAgent =
  | { readonly kind: 'preset'; readonly preset: Preset; readonly model: string | null }
  | { readonly kind: 'acp' | 'cmd'; readonly command: string };

/** The names that an agent can be given by, as a sentence has them. */
export const AGENT_NAMES = `${PRESETS.map(({ name }) => name).join(', ')}, acp:COMMAND, cmd:COMMAND`;

/**
 * Reads the name of an agent of others. The model of one that is known here may follow it. Null: no agent has it.
 *
 * @example
 * readAgentName('codex/gpt-5');
 * readAgentName('acp:goose acp');
 * readAgentName('cmd:aider --yes --message {task}');
 */
export function readAgentName(name: string): NamedAgent | null {
  const [, kind, command] = /^(acp|cmd):(.*\S.*)$/s.exec(name) ?? [];
  if ((kind === 'acp' || kind === 'cmd') && command !== undefined) return { kind, command };
  const slash = name.indexOf('/');
  const [known, model] = slash < 0 ? [name, null] : [name.slice(0, slash), name.slice(slash + 1)];
  const preset = PRESETS.find((preset) => preset.name === known);
  return preset && model !== '' ? { kind: 'preset', preset, model } : null;
}
