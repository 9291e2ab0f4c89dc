import type { Preset } from './preset.ts';
import { openai } from './known-providers.ts';

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
  metered: ({ openai: address = '' }, key) => ({
    words: [],
    environment: { OPENAI_BASE_URL: address, OPENAI_API_KEY: key },
  }),
  adapter: { kind: 'acp', login: null, session: null },
};
