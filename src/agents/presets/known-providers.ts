import type { PresetProvider } from './preset.ts';

/** The API of Anthropic, with a key or a token. */
export const anthropic: PresetProvider = {
  wire: 'anthropic',
  name: 'anthropic',
  address: 'https://api.anthropic.com',
  addressVariable: 'ANTHROPIC_BASE_URL',
  keys: [
    { variable: 'ANTHROPIC_API_KEY', header: 'x-api-key', text: '{key}' },
    { variable: 'ANTHROPIC_AUTH_TOKEN', header: 'authorization', text: 'Bearer {key}' },
  ],
};

/** The API of OpenAI, or one that is like it. */
export const openai: PresetProvider = {
  wire: 'openai',
  name: 'openai',
  address: 'https://api.openai.com/v1',
  addressVariable: 'OPENAI_BASE_URL',
  keys: [{ variable: 'OPENAI_API_KEY', header: 'authorization', text: 'Bearer {key}' }],
};

/** The API of Gemini. */
export const google: PresetProvider = {
  wire: 'gemini',
  name: 'google',
  address: 'https://generativelanguage.googleapis.com',
  addressVariable: 'GOOGLE_GEMINI_BASE_URL',
  keys: [
    { variable: 'GEMINI_API_KEY', header: 'x-goog-api-key', text: '{key}' },
    { variable: 'GOOGLE_API_KEY', header: 'x-goog-api-key', text: '{key}' },
  ],
};
