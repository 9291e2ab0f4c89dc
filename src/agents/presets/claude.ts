import { readClaude } from '../one-shot/read-claude.ts';
import { claudeRules } from './claude-rules.ts';
import type { Preset } from './preset.ts';
import { anthropic } from './known-providers.ts';

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
