/** One model on each API that a provider may speak. */
export const WIRES = ['openai-chat/m', 'openai/m', 'openai-compatible/m', 'anthropic/m', 'google/m'] as const;

const KEY = 'sk-test-0123456789';

/** Keys and addresses of a server that speaks all of them. */
export const environmentOn = (url: string): Record<string, string> => ({
  OPENAI_API_KEY: KEY,
  OPENAI_BASE_URL: url,
  OPENAI_COMPATIBLE_BASE_URL: url,
  ANTHROPIC_API_KEY: KEY,
  ANTHROPIC_BASE_URL: url,
  GEMINI_API_KEY: KEY,
  GOOGLE_GENERATIVE_AI_BASE_URL: url,
});
