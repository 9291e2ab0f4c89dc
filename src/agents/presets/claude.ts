import { readClaude } from '../one-shot/read-claude.ts';
import type { Preset } from './preset.ts';

/** Claude Code. Settings of the project could send it elsewhere, with its key: it reads those of the user alone. */
export const claude: Preset = {
  name: 'claude',
  title: 'Claude Code',
  install: 'npm install --global @anthropic-ai/claude-code',
  words: [
    'claude',
    '-p',
    '{task}',
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    'acceptEdits',
    '--setting-sources',
    'user',
  ],
  modelWords: (model) => ['--model', model],
  environment: () => ({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }),
  passes: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
  ],
  adapter: { kind: 'one-shot', reading: readClaude },
};
