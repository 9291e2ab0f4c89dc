import { type Preset, google } from './preset.ts';

/** The Gemini CLI. It asks before it edits and runs commands. */
export const gemini: Preset = {
  name: 'gemini',
  title: 'Gemini CLI',
  install: 'npm install --global @google/gemini-cli',
  words: ['gemini', '--acp'],
  sessions: ['.gemini/tmp'],
  openWords: [],
  walledWords: [],
  modelWords: (model) => ['-m', model],
  environment: () => ({ GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  passes: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_CLOUD_PROJECT'],
  logins: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json', '.gemini/settings.json'],
  hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
  providers: [google],
  metered: ({ gemini: address = '' }, key) => ({
    words: [],
    environment: { GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key },
  }),
  adapter: { kind: 'acp', login: 'gemini-api-key', session: null },
};
