import type { Preset } from './preset.ts';

/** The agent opencode. The content of a configuration counts before the files of the project. */
export const opencode: Preset = {
  name: 'opencode',
  title: 'opencode',
  install: 'npm install --global opencode-ai',
  words: ['opencode', 'acp'],
  modelWords: () => [],
  environment: (model) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      ...(model === null ? {} : { model }),
    }),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  passes: [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'OPENROUTER_API_KEY',
    'OPENCODE_CONFIG',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
  ],
  adapter: { kind: 'acp', login: null, session: null },
};
