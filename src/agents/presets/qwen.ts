import type { Preset } from './preset.ts';

/** Qwen Code, with a provider of the API of OpenAI. */
export const qwen: Preset = {
  name: 'qwen',
  title: 'Qwen Code',
  install: 'npm install --global @qwen-code/qwen-code',
  words: ['qwen', '--acp', '--auth-type', 'openai'],
  modelWords: () => [],
  environment: (model) => (model === null ? {} : { OPENAI_MODEL: model }),
  passes: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
  adapter: { kind: 'acp', login: null, session: null },
};
