import { argumentsOf, chunks, type Piece, type Said, type WireFormat } from './wire.ts';

/** The newer wire of OpenAI: items that are added, grow and are done. */
export const responses: WireFormat = {
  name: 'responses',
  matches: (path) => path.endsWith('/responses'),
  stream: (said) => numbered([...stream(said)]),
  whole: (said) => lastOf([...stream(said)]).response,
  refusal: (status) => ({
    error: { message: `refused with ${status}`, type: 'server_error', code: null, param: null },
  }),
  overflow: (tokens, window) => ({
    error: {
      message: `This model's maximum context length is ${window} tokens, but the messages resulted in ${tokens}.`,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  }),
  failure: () => ({
    name: 'error',
    data: {
      type: 'error',
      sequence_number: 99,
      error: { type: 'server_error', code: 'server_error', message: 'The server had an error', param: null },
    },
  }),
};

/** The last event of a stream has all of the response. */
const lastOf = (pieces: readonly Piece[]) => (pieces.at(-1) ?? { data: {} }).data as { readonly response: object };

const numbered = (pieces: readonly Piece[]) =>
  pieces.map((piece, index) => ({ ...piece, data: { ...(piece.data as object), sequence_number: index } }));

const event = (type: string, said: object): Piece => ({ name: type, data: { type, ...said } });

function* stream({ answer, usage, model, number }: Said): Iterable<Piece> {
  const output: object[] = [];
  const response = (status: string, of: object = {}) => ({
    response: {
      id: `resp_${number}`,
      object: 'response',
      created_at: 1,
      status,
      model,
      output,
      error: null,
      incomplete_details: null,
      ...of,
    },
  });
  yield event('response.created', response('in_progress'));
  for (const item of itemsOf({ answer, usage, model, number })) {
    const at = { output_index: output.length };
    yield event('response.output_item.added', { ...at, item: item.begun });
    for (const [type, said] of item.grows) yield event(type, { ...at, item_id: item.done.id, ...said });
    yield event('response.output_item.done', { ...at, item: item.done });
    output.push(item.done);
  }
  // It has no reason for that: a call begins and never ends.
  if (answer.end === 'calls') yield begunCall(output.length);
  const cut = answer.end === 'length' || answer.end === 'filter' || answer.end === 'context' ? answer.end : null;
  const reason = cut === 'filter' ? 'content_filter' : 'max_output_tokens';
  const status = cut === null ? 'completed' : 'incomplete';
  const ended = response(status, {
    usage: counted(usage),
    ...(cut === null ? {} : { incomplete_details: { reason } }),
  });
  yield { ...event(`response.${status}`, ended), reports: usage };
}

const begunCall = (at: number): Piece =>
  event('response.output_item.added', {
    output_index: at,
    item: { id: 'fc_begun', type: 'function_call', call_id: 'call_begun', name: 'list', arguments: '' },
  });

interface Item {
  readonly begun: object;
  readonly done: { readonly id: string };
  readonly grows: readonly (readonly [type: string, said: object])[];
}

function itemsOf({ answer, number }: Said): readonly Item[] {
  const pieces = (text: string) => chunks(text, answer.chunkCharacters);
  const items: Item[] = [];
  if (answer.reasoning !== undefined) {
    const done = {
      id: `rs_${number}`,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: answer.reasoning }],
      encrypted_content: `sealed-${number}`,
    };
    items.push({
      begun: { ...done, summary: [] },
      done,
      grows: [
        ['response.reasoning_summary_part.added', { summary_index: 0, part: { type: 'summary_text', text: '' } }],
        ...pieces(answer.reasoning).map(
          (delta) => ['response.reasoning_summary_text.delta', { summary_index: 0, delta }] as const,
        ),
        [
          'response.reasoning_summary_part.done',
          { summary_index: 0, part: { type: 'summary_text', text: answer.reasoning } },
        ],
      ],
    });
  }
  if (answer.text !== '') {
    const done = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [
        answer.end === 'refusal'
          ? { type: 'refusal', refusal: answer.text }
          : { type: 'output_text', text: answer.text, annotations: [] },
      ],
    };
    const grows = pieces(answer.text).map((delta) =>
      answer.end === 'refusal'
        ? (['response.refusal.delta', { content_index: 0, delta }] as const)
        : (['response.output_text.delta', { content_index: 0, delta, logprobs: [] }] as const),
    );
    items.push({ begun: { ...done, status: 'in_progress', content: [] }, done, grows });
  }
  for (const [index, call] of answer.calls.entries()) {
    const given = argumentsOf(call);
    const done = {
      id: `fc_${number}_${index}`,
      type: 'function_call',
      status: 'completed',
      call_id: call.id ?? `call_${number}_${index}`,
      name: call.tool,
      arguments: given,
    };
    const grows = pieces(given).map((delta) => ['response.function_call_arguments.delta', { delta }] as const);
    items.push({ begun: { ...done, status: 'in_progress', arguments: '' }, done, grows });
  }
  return items;
}

const counted = (usage: Said['usage']) => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
});
