import type { Preset } from './preset.ts';

/** The Copilot CLI, with a login of GitHub or a provider of one's own. */
export const copilot: Preset = {
  name: 'copilot',
  title: 'Copilot CLI',
  install: 'npm install --global @github/copilot',
  words: ['copilot', '--acp'],
  sessions: ['.copilot/session-state'],
  openWords: [],
  walledWords: [],
  modelWords: () => [],
  environment: (model) => ({ COPILOT_AUTO_UPDATE: 'false', ...(model === null ? {} : { COPILOT_MODEL: model }) }),
  passes: [
    'COPILOT_GITHUB_TOKEN',
    'COPILOT_HOME',
    'COPILOT_MODEL',
    'COPILOT_PROVIDER_API_KEY',
    'COPILOT_PROVIDER_BASE_URL',
  ],
  logins: ['.copilot/config.json'],
  hosts: ['api.github.com', 'github.com', '*.githubcopilot.com'],
  providers: [
    {
      wire: 'openai',
      name: 'openai',
      address: null,
      addressVariable: 'COPILOT_PROVIDER_BASE_URL',
      keys: [{ variable: 'COPILOT_PROVIDER_API_KEY', header: 'authorization', text: 'Bearer {key}' }],
    },
  ],
  metered: ({ openai: address = '' }, key) => ({
    words: [],
    environment: { COPILOT_PROVIDER_BASE_URL: address, COPILOT_PROVIDER_API_KEY: key },
  }),
  adapter: { kind: 'acp', login: null, session: null },
};
