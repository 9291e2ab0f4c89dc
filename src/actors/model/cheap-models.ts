/**
 * The model of a provider that sorts and judges texts for the least money and still follows an instruction. The
 * cheapest rows of the table of prices are of no use here: they are models that the provider itself does not serve, or
 * that can only complete a sentence.
 */
export const CHEAP_MODELS: ReadonlyMap<string, string> = new Map([
  ['openai', 'gpt-5-nano'],
  ['openai-chat', 'gpt-5-nano'],
  ['anthropic', 'claude-haiku-4-5'],
  ['google', 'gemini-2.5-flash-lite'],
  ['openrouter', 'openai/gpt-5-nano'],
]);
