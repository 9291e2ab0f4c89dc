import { readClaude } from '../one-shot/read-claude.ts';
import { type Preset, type ToldRules, anthropic } from './preset.ts';
import type { PermissionRule, Permissions } from '../../../machines/permissions.ts';

/** Its tools by what they do. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  shell: ['Bash'],
  edit: ['Edit', 'Write', 'NotebookEdit'],
  read: ['Read', 'Glob', 'Grep'],
  fetch: ['WebFetch', 'WebSearch'],
};
/** Those that take a glob of paths. */
const WITH_PATHS: Readonly<Record<string, readonly string[]>> = { edit: ['Edit', 'Write'], read: ['Read'] };
/** What the profile `read` would ask a person about. */
const ASKED_IN_READ = ['Edit', 'Write', 'NotebookEdit', 'Bash', 'WebFetch', 'WebSearch'];

/** The calls that Claude Code is told never to make: it asks no person, so what would be asked is denied. */
export function claudeRules({ rules, profile }: Permissions): ToldRules {
  const held = rules.filter(({ action }) => action !== 'allow');
  const told = held.map((rule) => ({ rule, names: namesOf(rule) }));
  const names = [...(profile === 'read' ? ASKED_IN_READ : []), ...told.flatMap((one) => one.names)];
  return {
    words: names.length === 0 ? [] : ['--disallowedTools', ...new Set(names)],
    unreached: told.flatMap(({ rule, names: own }) => (own.length === 0 ? [rule] : [])),
  };
}

function namesOf({ tool, by, pattern = '' }: PermissionRule): readonly string[] {
  const kinds = tool === '*' ? Object.keys(TOOLS) : [tool];
  switch (by) {
    case undefined:
      return kinds.flatMap((kind) => TOOLS[kind] ?? ofServer(kind));
    case 'command':
      return kinds.includes('shell') ? [`Bash(${pattern.replace(/\s+\*$/, '')}:*)`] : [];
    case 'path':
      return kinds.flatMap((kind) => (WITH_PATHS[kind] ?? []).map((name) => `${name}(${pattern})`));
    case 'host':
      return kinds.includes('fetch') ? [`WebFetch(domain:${pattern})`] : [];
    default:
      return [];
  }
}

/** A tool of an MCP server: `server__tool`. */
const ofServer = (tool: string): readonly string[] =>
  /^[\w-]+__[\w-]+$/.test(tool) && !tool.includes('*') ? [`mcp__${tool}`] : [];

const WORDS = ['claude', '-p', '{task}', '--output-format', 'stream-json', '--verbose', '--setting-sources', 'user'];

/** Claude Code. Settings of the project could send it elsewhere, with its key: it reads those of the user alone. */
export const claude: Preset = {
  name: 'claude',
  title: 'Claude Code',
  install: 'npm install --global @anthropic-ai/claude-code',
  words: WORDS,
  resumeWords: (session) => [...WORDS, '--resume', session],
  sessions: ['.claude/projects'],
  openWords: ['--permission-mode', 'acceptEdits'],
  walledWords: ['--permission-mode', 'bypassPermissions'],
  modelWords: (model) => ['--model', model],
  // It does not bypass its questions for a superuser, unless it is told that something else holds it.
  environment: () => ({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1' }),
  passes: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
  ],
  logins: ['.claude/.credentials.json'],
  hosts: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai'],
  providers: [anthropic],
  metered: ({ anthropic: address = '' }, key) => ({
    words: [],
    environment: { ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: key },
  }),
  adapter: { kind: 'one-shot', reading: readClaude },
  ruleWords: claudeRules,
};
