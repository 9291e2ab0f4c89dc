import type { JsonObject } from '../json-object.ts';
import { type Preset, anthropic, google, openai } from './preset.ts';

/** The content of a configuration counts before the files of the project. */
const contentFor = (model: string | null, provider: JsonObject = {}) => ({
  OPENCODE_CONFIG_CONTENT: JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    ...(model === null ? {} : { model }),
    ...(Object.keys(provider).length === 0 ? {} : { provider }),
  }),
});

/** The agent opencode, with the providers whose keys it is given. */
export const opencode: Preset = {
  name: 'opencode',
  title: 'opencode',
  install: 'npm install --global opencode-ai',
  words: ['opencode', 'acp'],
  sessions: ['.local/share/opencode'],
  openWords: [],
  walledWords: [],
  modelWords: () => [],
  environment: (model) => ({
    ...contentFor(model),
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
  logins: ['.local/share/opencode/auth.json'],
  hosts: [
    'api.anthropic.com',
    'api.openai.com',
    'generativelanguage.googleapis.com',
    'openrouter.ai',
    'opencode.ai',
    'models.dev',
  ],
  providers: [anthropic, openai, google],
  metered: (addresses, key, model) => {
    const at = { anthropic: addresses.anthropic, openai: addresses.openai, google: addresses.gemini };
    const versions = { anthropic: '/v1', openai: '', google: '/v1beta' } as const;
    const providers = Object.entries(at).flatMap(([name, address]) =>
      address === undefined
        ? []
        : [[name, { options: { baseURL: `${address}${versions[name as keyof typeof versions]}`, apiKey: key } }]],
    );
    return { words: [], environment: contentFor(model, Object.fromEntries(providers) as JsonObject) };
  },
  adapter: { kind: 'acp', login: null, session: null },
};
