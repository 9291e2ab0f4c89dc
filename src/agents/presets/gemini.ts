import type { Preset } from './preset.ts';

/** The Gemini CLI. It asks before it edits and runs commands. */
export const gemini: Preset = {
  name: 'gemini',
  title: 'Gemini CLI',
  install: 'npm install --global @google/gemini-cli',
  words: ['gemini', '--acp'],
  modelWords: (model) => ['-m', model],
  environment: () => ({ GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  passes: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_CLOUD_PROJECT'],
  adapter: { kind: 'acp', login: 'gemini-api-key', session: null },
};
