import { type Preset, openai } from './preset.ts';

/** Settings of the system, which count before those of a workspace. */
const settingsFor = (baseUrl: string, model: string | null) => ({
  security: { auth: { selectedType: 'openai', baseUrl, apiKey: '$OPENAI_API_KEY' } },
  modelProviders: { openai: model === null ? [] : [{ id: model, name: model, baseUrl, envKey: 'OPENAI_API_KEY' }] },
});

/** Qwen Code, with a provider of the API of OpenAI. */
export const qwen: Preset = {
  name: 'qwen',
  title: 'Qwen Code',
  install: 'npm install --global @qwen-code/qwen-code',
  words: ['qwen', '--acp', '--auth-type', 'openai'],
  sessions: ['.qwen/projects', '.qwen/tmp'],
  openWords: [],
  walledWords: [],
  modelWords: () => [],
  environment: (model) => (model === null ? {} : { OPENAI_MODEL: model }),
  passes: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
  logins: ['.qwen/oauth_creds.json'],
  hosts: ['api.openai.com', 'chat.qwen.ai', 'portal.qwen.ai', 'dashscope.aliyuncs.com'],
  providers: [openai],
  metered: ({ openai: address = '' }, key, model) => ({
    words: [],
    environment: { OPENAI_BASE_URL: address, OPENAI_API_KEY: key },
    // A list of models and an address in the workspace would count before the variables.
    settings: { variable: 'QWEN_CODE_SYSTEM_SETTINGS_PATH', text: JSON.stringify(settingsFor(address, model)) },
  }),
  adapter: { kind: 'acp', login: null, session: null },
};
