/** The model of a provider that is proposed where its key is found and no model is named. */
export const USUAL_MODELS: ReadonlyMap<string, string> = new Map([
  ['openai', 'gpt-5'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-pro'],
  ['openrouter', 'anthropic/claude-sonnet-4.5'],
]);
