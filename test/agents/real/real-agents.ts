import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A real agent, as these tests install and drive it. */
export interface RealAgent {
  readonly name: string;
  readonly package: string;
  /** As `--agent` names it, with a model that its provider has. */
  readonly as: string;
  /** Variables with its key and with the address of its provider. */
  readonly variables: (url: string, key: string) => Readonly<Record<string, string>>;
  /** A call of its own tool that runs a command. */
  readonly shell: (command: string) => { readonly tool: string; readonly arguments: Readonly<Record<string, string>> };
  /** Whether a rule that denies its commands reaches it. */
  readonly isRuled: boolean;
}

const described = (tool: string) => (command: string) => ({
  tool,
  arguments: { command, description: 'a command of the test' },
});

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    as: 'claude/claude-sonnet-4-5',
    variables: (url, key) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }),
    shell: described('Bash'),
    isRuled: true,
  },
  {
    name: 'codex',
    package: '@openai/codex',
    as: 'codex/gpt-5',
    variables: (url, key) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key }),
    shell: (command) => ({ tool: 'exec_command', arguments: { cmd: command } }),
    isRuled: false,
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    as: 'opencode/anthropic/claude-sonnet-4-5',
    variables: (url, key) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }),
    shell: described('bash'),
    isRuled: false,
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    as: 'gemini/gemini-2.5-flash',
    variables: (url, key) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
    shell: described('run_shell_command'),
    isRuled: true,
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    as: 'qwen/qwen3-coder-plus',
    variables: (url, key) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key }),
    shell: described('run_shell_command'),
    isRuled: false,
  },
  {
    name: 'copilot',
    package: '@github/copilot',
    as: 'copilot/gpt-5',
    variables: (url, key) => ({ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: key }),
    shell: described('bash'),
    isRuled: true,
  },
];

/** The folder that agents are installed in, one at a time. */
export const INSTALLED = join(import.meta.dirname, '..');

/** The version of an agent that these tests are written for. */
export function versionOf(agent: RealAgent): string {
  const { agents } = JSON.parse(readFileSync(join(INSTALLED, 'package.json'), 'utf8')) as {
    readonly agents: Readonly<Record<string, string>>;
  };
  return agents[agent.package] ?? '';
}
