import { argumentsOf, chunks, type Piece, type Said, type WireFormat } from './wire.ts';

/** The older wire of OpenAI, spoken by Ollama, vLLM and many others. */
export const chat: WireFormat = {
  name: 'chat',
  matches: (path) => path.endsWith('/chat/completions'),
  stream,
  whole,
  refusal: (status) => ({ error: { message: `refused with ${status}`, type: 'server_error', code: null } }),
  overflow: (tokens, window) => ({
    error: {
      message: `This model's maximum context length is ${window} tokens, but the messages resulted in ${tokens}.`,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  }),
  failure: () => ({ data: { error: { message: 'The server had an error', type: 'server_error', code: null } } }),
};

function stream({ answer, usage, model, number, isCut, isEndUnsaid }: Said): readonly Piece[] {
  const base = { id: `chatcmpl-${number}`, object: 'chat.completion.chunk', created: 1, model };
  const delta = (said: object, finish: string | null = null): Piece => ({
    data: { ...base, choices: [{ index: 0, delta: said, finish_reason: finish }] },
  });
  const calls = answer.calls.flatMap((call, index) => [
    delta({
      tool_calls: [
        {
          index,
          id: call.id ?? `call_${number}_${index}`,
          type: 'function',
          function: { name: call.tool, arguments: '' },
        },
      ],
    }),
    ...chunks(argumentsOf(call), answer.chunkCharacters).map((part) =>
      delta({ tool_calls: [{ index, function: { arguments: part } }] }),
    ),
  ]);
  return [
    delta({ role: 'assistant', content: '' }),
    ...chunks(answer.reasoning ?? '', answer.chunkCharacters).map((part) => delta({ reasoning_content: part })),
    ...chunks(answer.text, answer.chunkCharacters).map((part) =>
      delta(answer.end === 'refusal' ? { refusal: part } : { content: part }),
    ),
    ...calls,
    delta({}, isEndUnsaid ? null : finishOf(answer, isCut)),
    { data: { ...base, choices: [], usage: counted(usage) }, reports: usage },
    { data: '[DONE]' },
  ];
}

function whole({ answer, usage, model, number, isCut, isEndUnsaid }: Said): object {
  const calls = answer.calls.map((call, index) => ({
    id: call.id ?? `call_${number}_${index}`,
    type: 'function',
    function: { name: call.tool, arguments: argumentsOf(call) },
  }));
  const text = answer.end === 'refusal' ? { content: null, refusal: answer.text } : { content: answer.text };
  const message = {
    role: 'assistant',
    ...text,
    ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: isEndUnsaid ? null : finishOf(answer, isCut) }],
    usage: counted(usage),
  };
}

function finishOf({ end, calls }: Said['answer'], isCut = false): string {
  if (isCut || end === 'length' || end === 'context') return 'length';
  if (end === 'filter') return 'content_filter';
  return end === 'calls' || calls.length > 0 ? 'tool_calls' : 'stop';
}

const counted = (usage: Said['usage']) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
});
