import type { Usage } from '../../../machines/events.ts';
import { argumentsOf, chunks, type Piece, type Said, type WireFormat } from './wire.ts';

/** Anthropic's messages: what went in is told at once, what came out at the end. */
export const anthropic: WireFormat = {
  name: 'anthropic',
  matches: (path) => path.endsWith('/messages'),
  stream: (said) => [...stream(said)],
  whole,
  refusal: (status) => ({ type: 'error', error: { type: 'api_error', message: `refused with ${status}` } }),
  overflow: (tokens, window) => ({
    type: 'error',
    error: { type: 'invalid_request_error', message: `prompt is too long: ${tokens} tokens > ${window} maximum` },
  }),
  failure: () => ({
    name: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  }),
};

const event = (type: string, said: object): Piece => ({ name: type, data: { type, ...said } });

function* stream({ answer, usage, model, number }: Said): Iterable<Piece> {
  const atFirst = { ...usage, outputTokens: Math.min(1, usage.outputTokens) };
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  yield { ...event('message_start', { message: { ...message, usage: counted(atFirst) } }), reports: atFirst };
  for (const [index, block] of blocksOf({ answer, usage, model, number }).entries()) {
    yield event('content_block_start', { index, content_block: block.begun });
    for (const delta of block.deltas) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  const delta = { stop_reason: reasonOf(answer), stop_sequence: null };
  yield { ...event('message_delta', { delta, usage: { output_tokens: usage.outputTokens } }), reports: usage };
  yield event('message_stop', {});
}

function whole({ answer, usage, model, number }: Said): object {
  const thinking = { type: 'thinking', thinking: answer.reasoning, signature: `signed-${number}` };
  const calls = answer.calls.map((call, index) => ({
    type: 'tool_use',
    id: call.id ?? `toolu_${number}_${index}`,
    name: call.tool,
    input: JSON.parse(argumentsOf(call)) as unknown,
  }));
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(answer.reasoning === undefined ? [] : [thinking]),
      ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
      ...calls,
    ],
    stop_reason: reasonOf(answer),
    stop_sequence: null,
    usage: counted(usage),
  };
}

const ENDS = {
  length: 'max_tokens',
  context: 'model_context_window_exceeded',
  filter: 'refusal',
  refusal: 'refusal',
  calls: 'tool_use',
} as const;

function reasonOf({ end, calls }: Said['answer']): string {
  if (end === undefined) return calls.length > 0 ? 'tool_use' : 'end_turn';
  return ENDS[end];
}

function blocksOf({ answer, number }: Said): readonly { begun: object; deltas: readonly object[] }[] {
  const pieces = (text: string) => chunks(text, answer.chunkCharacters);
  const thinking =
    answer.reasoning === undefined
      ? []
      : [
          {
            begun: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...pieces(answer.reasoning).map((text) => ({ type: 'thinking_delta', thinking: text })),
              { type: 'signature_delta', signature: `signed-${number}` },
            ],
          },
        ];
  const text =
    answer.text === ''
      ? []
      : [
          {
            begun: { type: 'text', text: '' },
            deltas: pieces(answer.text).map((part) => ({ type: 'text_delta', text: part })),
          },
        ];
  const calls = answer.calls.map((call, index) => ({
    begun: { type: 'tool_use', id: call.id ?? `toolu_${number}_${index}`, name: call.tool, input: {} },
    deltas: pieces(argumentsOf(call)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
  }));
  return [...thinking, ...text, ...calls];
}

const counted = ({ inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 }: Usage) => ({
  input_tokens: inputTokens - cachedInputTokens - cacheWriteTokens,
  cache_read_input_tokens: cachedInputTokens,
  cache_creation_input_tokens: cacheWriteTokens,
  output_tokens: outputTokens,
});
