import { argumentsOf, chunks, type Piece, type Said, type WireFormat } from './wire.ts';

/** Gemini: every piece is a whole small answer, with the tokens used by then. */
export const google: WireFormat = {
  name: 'google',
  matches: (path) => path.endsWith(':streamGenerateContent'),
  stream,
  whole,
  refusal: (status) => ({ error: { code: status, message: `refused with ${status}`, status: 'UNAVAILABLE' } }),
  overflow: (tokens, window) => ({
    error: {
      code: 400,
      message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
      status: 'INVALID_ARGUMENT',
    },
  }),
  failure: () => ({ data: { error: { code: 503, message: 'The model is overloaded', status: 'UNAVAILABLE' } } }),
};

function stream({ answer, usage, model, number }: Said): readonly Piece[] {
  const parts = partsOf(answer, number, (text) => chunks(text, answer.chunkCharacters));
  const at = (used: Said['usage'], part: object[], finished: boolean): Piece => ({
    data: {
      candidates: [
        { content: { role: 'model', parts: part }, index: 0, ...(finished ? { finishReason: reasonOf(answer) } : {}) },
      ],
      usageMetadata: counted(used),
      modelVersion: model,
      responseId: `r${number}`,
    },
    reports: used,
  });
  const before = { ...usage, outputTokens: 0, reasoningTokens: 0 };
  return [...parts.map((part) => at(before, [part], false)), at(usage, [{ text: '' }], true)];
}

function whole({ answer, usage, model, number }: Said): object {
  const parts = partsOf(answer, number, (text) => (text === '' ? [] : [text]));
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, finishReason: reasonOf(answer) }],
    usageMetadata: counted(usage),
    modelVersion: model,
    responseId: `r${number}`,
  };
}

function partsOf(answer: Said['answer'], number: number, pieces: (text: string) => readonly string[]): object[] {
  return [
    ...pieces(answer.reasoning ?? '').map((text) => ({ text, thought: true })),
    ...pieces(answer.text).map((text) => ({ text })),
    ...answer.calls.map((call, index) => ({
      functionCall: {
        ...(call.id === undefined ? {} : { id: call.id }),
        name: call.tool,
        args: JSON.parse(argumentsOf(call)),
      },
      ...(answer.reasoning !== undefined && index === 0 ? { thoughtSignature: `signed-${number}` } : {}),
    })),
  ];
}

function reasonOf({ end }: Said['answer']): string {
  if (end === undefined) return 'STOP';
  if (end === 'calls') return 'UNEXPECTED_TOOL_CALL';
  return end === 'length' || end === 'context' ? 'MAX_TOKENS' : 'SAFETY';
}

const counted = (usage: Said['usage']) => ({
  promptTokenCount: usage.inputTokens,
  candidatesTokenCount: usage.outputTokens - (usage.reasoningTokens ?? 0),
  thoughtsTokenCount: usage.reasoningTokens ?? 0,
  cachedContentTokenCount: usage.cachedInputTokens ?? 0,
  totalTokenCount: usage.inputTokens + usage.outputTokens,
});
