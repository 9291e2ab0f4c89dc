import type { Preset } from './preset.ts';

/** The Copilot CLI, with a login of GitHub or a provider of one's own. */
export const copilot: Preset = {
  name: 'copilot',
  title: 'Copilot CLI',
  install: 'npm install --global @github/copilot',
  words: ['copilot', '--acp'],
  modelWords: () => [],
  environment: (model) => ({ COPILOT_AUTO_UPDATE: 'false', ...(model === null ? {} : { COPILOT_MODEL: model }) }),
  passes: [
    'COPILOT_GITHUB_TOKEN',
    'COPILOT_HOME',
    'COPILOT_MODEL',
    'COPILOT_PROVIDER_API_KEY',
    'COPILOT_PROVIDER_BASE_URL',
  ],
  adapter: { kind: 'acp', login: null, session: null },
};
