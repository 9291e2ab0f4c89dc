import { DEFAULT_PARALLEL_CALLS } from './defaults.ts';
import type { OptionRows } from './option-row.ts';

export const AGENT_OPTIONS = {
  agent: {
    value: '<name>',
    means:
      'an agent, from a page or shipped: whose words, tools and limits to use (default: Coder); or one of others, such as claude, codex, acp:COMMAND',
    repeats: true,
    default: null,
    decides: false,
    harmless: false,
    recorded: true,
  },
  system: {
    value: '<text>',
    means: 'what the model is told before the task, in place of what the agent says',
    default: null,
    decides: false,
    harmless: false,
    recorded: true,
  },
  systemAppend: {
    value: '<text>',
    means: 'what the model is told at the end of that',
    default: null,
    decides: false,
    harmless: false,
    recorded: true,
  },
  instructions: {
    value: '<whose>',
    means:
      "'project' (the default with an agent): AGENTS.md and CLAUDE.md are a part of what the model is told; 'none'",
    default: null,
    decides: false,
    harmless: true,
    recorded: false,
  },
  tools: {
    value: '<a,b>',
    means: 'which tools the model may use',
    form: 'names',
    default: null,
    decides: true,
    harmless: true,
    recorded: true,
  },
  permissions: {
    value: '<rule>',
    means:
      "what calls may do: 'deny shell command=git push', 'ask edit path=docs/**', 'allow * host=*.example.org'; repeatable, the first that fits counts",
    flag: '--permission',
    form: 'lines',
    default: [],
    decides: true,
    harmless: 'by value',
    recorded: true,
  },
  permissionProfile: {
    value: '<profile>',
    means:
      "what calls may do where no rule fits: 'read', 'edit' (commands without walls are asked), or 'all'; the others ask a person",
    default: null,
    decides: true,
    harmless: 'by value',
    recorded: true,
  },
  hooks: {
    value: '<json>',
    means:
      'commands of yours that run before-tool, after-tool, on a question, on silence or at the end: [{ on, command }]',
    form: 'json',
    default: [],
    decides: true,
    harmless: false,
    recorded: true,
  },
  environment: {
    value: '<A,B>',
    means: 'variables that commands see beside the usual ones',
    form: 'names',
    default: [],
    decides: false,
    harmless: false,
    recorded: true,
  },
  maxParallel: {
    value: '<n>',
    means: 'tool calls of one answer that run at once: the others are queued',
    default: DEFAULT_PARALLEL_CALLS,
    decides: false,
    harmless: true,
    recorded: true,
  },
  mcpServers: {
    value: '<json>',
    means: 'MCP servers whose tools runs get: by name { command, args, env } or { type: "http", url, headers }',
    form: 'json',
    default: {},
    decides: true,
    harmless: false,
    recorded: false,
  },
  mcpConfig: {
    value: '<file>',
    means: 'a file with MCP servers under mcpServers, beside .mcp.json of the project',
    default: null,
    decides: true,
    harmless: false,
    recorded: false,
  },
} as const satisfies OptionRows;
