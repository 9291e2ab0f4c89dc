import { describe, expect, test } from 'vitest';
import { withCallsInText } from '../../../../src/actors/model/calls-in-text.ts';
import { writtenCalls } from '../../../../src/actors/model/written/call-grammar.ts';
import { requestOf } from '../request.ts';

const tool = (name: string, properties: Record<string, { type: string }> = {}) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties },
});
const TOOLS = [
  tool('write', { path: { type: 'string' }, content: { type: 'string' } }),
  tool('read', { path: { type: 'string' }, limit: { type: 'integer' }, deep: { type: 'boolean' } }),
];
const request = requestOf({ tools: TOOLS });
const NAMES = TOOLS.map(({ name }) => name);
const GIVEN = '{"path": "a.txt", "content": "x"}';
const CALL = { tool: 'write', arguments: { path: 'a.txt', content: 'x' } };

/** Each format as the models of its family write it, with the name of one. */
const FORMATS: readonly (readonly [format: string, model: string, text: string])[] = [
  ['Hermes', 'house/hermes-4-70b', `<tool_call>\n{"name": "write", "arguments": ${GIVEN}}\n</tool_call>`],
  ['Qwen', 'ollama/qwen3:8b', `<tool_call>{"name": "write", "arguments": ${GIVEN}}</tool_call><|im_end|>\n`],
  ['Qwen without an end', 'openrouter/qwen/qwq-32b', `<tool_call>\n{"name": "write", "arguments": ${GIVEN}}\n`],
  [
    'Qwen-Coder',
    'openrouter/qwen/qwen3-coder',
    '<tool_call>\n<function=write>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\nx\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'Qwen-Coder without its first tag',
    'house/Qwen3-Coder-30B',
    '<function=write>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>x</parameter>\n</function>\n</tool_call>',
  ],
  ['Qwen as JSON', 'ollama/qwen2.5-coder', `\`\`\`json\n{"name": "write", "arguments": ${GIVEN}}\n\`\`\``],
  [
    'GLM',
    'house/glm-4.6',
    '<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n<arg_key>content</arg_key>\n<arg_value>x</arg_value>\n</tool_call>',
  ],
  ['Llama 3.1', 'groq/llama-3.1-70b', `<|python_tag|>{"name": "write", "parameters": ${GIVEN}}<|eom_id|>`],
  ['Llama 3.2', 'openrouter/meta-llama/llama-3.2-3b', `{"name": "write", "parameters": ${GIVEN}}`],
  ['Llama functions', 'house/llama-3.3', `<function=write>${GIVEN}</function>`],
  [
    'Mistral',
    'mistral/mistral-large',
    `[TOOL_CALLS] [{"name": "write", "arguments": ${GIVEN}, "id": "abc123def"}]</s>`,
  ],
  ['Mistral of 2025', 'house/devstral-small', `[TOOL_CALLS]write[ARGS]${GIVEN}`],
  [
    'DeepSeek',
    'deepseek/deepseek-chat',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write\n\`\`\`json\n${GIVEN}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  [
    'DeepSeek V3.1',
    'house/deepseek-v3.1',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write<｜tool▁sep｜>${GIVEN}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
  ],
  [
    'DeepSeek V3.2',
    'house/deepseek-v3.2',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="write">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n<｜DSML｜parameter name="content" string="true">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  ],
  [
    'MiniMax',
    'house/minimax-m2',
    '<minimax:tool_call>\n<invoke name="write">\n<parameter name="path">a.txt</parameter>\n<parameter name="content">x</parameter>\n</invoke>\n</minimax:tool_call>',
  ],
  [
    'Kimi',
    'house/kimi-k2',
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.write:0<|tool_call_argument_begin|>${GIVEN}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
  ['Granite', 'ollama/granite3.3', `<|tool_call|>[{"name": "write", "arguments": ${GIVEN}}]`],
  ['Phi', 'ollama/phi4-mini', `<|tool_call|>[{"name": "write", "arguments": ${GIVEN}}]<|/tool_call|>`],
  [
    'gpt-oss',
    'ollama/gpt-oss:20b',
    `<|channel|>commentary to=functions.write <|constrain|>json<|message|>${GIVEN}<|call|>`,
  ],
];

describe.each(FORMATS)('%s', (format, model, text) => {
  const isAlone = ['Qwen as JSON', 'Llama 3.2'].includes(format);

  test('G13 a call that the family is known to write as text is taken', () => {
    expect(withCallsInText({ text }, request, model)).toEqual({ text: '', calls: [CALL] });
  });

  test.skipIf(isAlone)('G13 the text before the call stays', () => {
    const answer = { text: `I write it.\n\n${text}`, usage: { inputTokens: 1, outputTokens: 2 } };
    expect(withCallsInText(answer, request, model)).toEqual({ ...answer, text: 'I write it.', calls: [CALL] });
  });

  test('G13 it is not taken of another model, for a tool that is not offered, or beside a real call', () => {
    for (const other of ['openai/gpt-5', 'house/m', 'ollama/gemma3'])
      expect(withCallsInText({ text }, request, other)).toBeNull();
    expect(withCallsInText({ text }, requestOf({ tools: [tool('list')] }), model)).toBeNull();
    expect(withCallsInText({ text }, requestOf({ tools: [] }), model)).toBeNull();
    expect(withCallsInText({ text, calls: [CALL] }, request, model)).toBeNull();
    expect(withCallsInText({ text, cut: 'length' }, request, model)).toBeNull();
  });

  test('G13 it is known as a call whatever the model is, and not where text follows or a fence is around it', () => {
    expect(writtenCalls(text, NAMES)).toMatchObject({ before: '', calls: [{ tool: 'write' }] });
    expect(writtenCalls(`${text}\nThat is how a call is written.`, NAMES)?.calls ?? null).toBeNull();
    expect(writtenCalls(`So it is written:\n\`\`\`\n${text}\n\`\`\``, NAMES)).toBeNull();
  });
});

test('G13 several calls are taken in their order', () => {
  const text = ['a', 'b', 'c'].map(
    (path) => `<tool_call>\n{"name": "read", "arguments": {"path": "${path}"}}\n</tool_call>`,
  );
  expect(withCallsInText({ text: text.join('\n') }, request, 'ollama/qwen3')).toMatchObject({
    calls: [{ arguments: { path: 'a' } }, { arguments: { path: 'b' } }, { arguments: { path: 'c' } }],
  });
});

test('G13 a parameter that is written as text has the type that its tool wants', () => {
  const text =
    '<function=read>\n<parameter=path>\n12\n</parameter>\n<parameter=limit>\n12\n</parameter>\n<parameter=deep>\nperhaps\n</parameter>\n</function>';
  expect(withCallsInText({ text }, request, 'house/qwen3-coder')?.calls).toEqual([
    { tool: 'read', arguments: { path: '12', limit: 12, deep: 'perhaps' } },
  ]);
});

test('G13 arguments that cannot be read are not taken, and still are a call as text', () => {
  const text =
    '<tool_call>\n{"name": "write", "arguments": {"path": "a.txt", "content": "he said "hi""}}\n</tool_call>';
  expect(withCallsInText({ text }, request, 'ollama/qwen3')).toBeNull();
  expect(writtenCalls(text, NAMES)).toMatchObject({ before: '', calls: null });
  expect(writtenCalls(`I write it.\n${text}`, NAMES)).toMatchObject({ before: 'I write it.', calls: null });
});

test('G13 what the model thought stays with the calls that are taken', () => {
  const continuity = [
    { part: 'reasoning', text: 'I should.' },
    { part: 'text', characters: 70 },
  ];
  const text = `Yes.\n<tool_call>{"name": "write", "arguments": ${GIVEN}}</tool_call>`;
  expect(withCallsInText({ text, continuity }, request, 'ollama/qwen3')).toMatchObject({
    continuity: [
      { part: 'reasoning', text: 'I should.' },
      { part: 'text', characters: 4 },
      { part: 'call', index: 0 },
    ],
  });
});

test.each([
  'The file has a tag <tool_call> in it.',
  'Hermes writes `<tool_call>{"name": "write"}</tool_call>`',
  '{"name": "Ada", "arguments": {"born": 1815}}',
  '{"name": "write", "why": "because"}',
  '```json\n[]\n```',
  '[]',
  'A list of tags:\n<tool_call>\n<function=\n[TOOL_CALLS]',
])('G13 an answer that only speaks of it is no call: %s', (text) => {
  expect(writtenCalls(text, NAMES)).toBeNull();
});

test.each([
  '<tool_call>',
  '\n<tool_call>{',
  '<parameter=a>',
  '\n<function=write>',
  '[TOOL_CALLS]',
  ' ',
  '\n',
  '```\n',
  '<|tool_call_begin|>',
])('G13 a long answer is read in a moment, whatever is in it: %j', (piece) => {
  const began = performance.now();
  writtenCalls(piece.repeat(1_000_000 / piece.length), NAMES);
  expect(performance.now() - began).toBeLessThan(5_000);
});
