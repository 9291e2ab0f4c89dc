import { type WireUnderTest, wireContract } from './wires.contract.ts';

const chat: Omit<WireUnderTest, 'name'> = {
  sealed: null,
  tellsEarly: false,
  countsReasoning: true,
  callsAreText: true,
  saysFailed: null,
};

wireContract({ ...chat, name: 'openai/gpt-5', sealed: /sealed-0/, saysFailed: /error/ });
wireContract({ ...chat, name: 'openai-chat/gpt-5', saysFailed: /error/ });
wireContract({ ...chat, name: 'openai-compatible/any', sealed: /Deep thought/ });
wireContract({ ...chat, name: 'ollama/qwen3', sealed: /Deep thought/ });
wireContract({
  name: 'anthropic/claude-sonnet-4-5',
  sealed: /signed-0/,
  tellsEarly: true,
  countsReasoning: false,
  callsAreText: true,
  saysFailed: /"is_error":true/,
});
wireContract({
  name: 'google/gemini-3-pro',
  sealed: /signed-0/,
  tellsEarly: true,
  countsReasoning: true,
  callsAreText: false,
  saysFailed: /"error":"no such file"/,
});
