import { allOf, segmentsOf, type WrittenCall } from './format.ts';
import { callsIn, callWith } from './json-calls.ts';

// Calls after special tokens of a model. Each function reads a text that is nothing but such calls; null: it is not.

/** `[TOOL_CALLS][{…}]`, and since 2025 `[TOOL_CALLS]name[ARGS]{…}` for each call (Mistral). */
export function afterToolCalls(block: string): readonly WrittenCall[] | null {
  const [before = '', ...bodies] = block.split('[TOOL_CALLS]');
  const read = before.trim() === '' ? allOf(bodies, (body) => callsIn(body) ?? namedCall(body)) : null;
  return read && read.length > 0 ? read.flat() : null;
}

function namedCall(body: string): readonly WrittenCall[] | null {
  const at = body.indexOf('{');
  const name = /^\s*([\w.-]+)(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*$/.exec(
    body.slice(0, at === -1 ? undefined : at),
  )?.[1];
  return at === -1 || name === undefined ? null : allOf([body.slice(at)], (given) => callWith(name, given));
}

/** `<|python_tag|>{"name": …, "parameters": {…}}` (Llama). */
export const afterPythonTag = (block: string): readonly WrittenCall[] | null =>
  callsIn(block.replace('<|python_tag|>', ''));

/** `<|tool_call|>[…]` (Granite, Phi). */
export const afterToolCall = (block: string): readonly WrittenCall[] | null =>
  callsIn(block.replace('<|tool_call|>', '').replace(/<\|\/tool_call\|>\s*$/, ''));

/** `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, before 2025-08 with a type and a fence (DeepSeek). */
export function deepSeekCalls(block: string): readonly WrittenCall[] | null {
  const inside = block.replace('<｜tool▁calls▁begin｜>', '').replace('<｜tool▁calls▁end｜>', '');
  const segments = segmentsOf(inside, /<｜tool▁call▁begin｜>/y, '<｜tool▁call▁end｜>');
  return segments && allOf(segments, ({ body }) => deepSeekCall(body));
}

function deepSeekCall(body: string): WrittenCall | null {
  const [name = '', given, ...more] = body.split('<｜tool▁sep｜>');
  if (given === undefined || more.length > 0) return null;
  if (name.trim() !== 'function') return callWith(name.trim(), given);
  const at = given.indexOf('\n');
  const fenced = given.slice(at).trim();
  return callWith(given.slice(0, at).trim(), fenced.replace(/^```json/, '').replace(/```$/, ''));
}

/** `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>` (Kimi). */
export function kimiCalls(block: string): readonly WrittenCall[] | null {
  const inside = block.replace('<|tool_calls_section_begin|>', '').replace('<|tool_calls_section_end|>', '');
  const opening = /<\|tool_call_begin\|>\s*(?:functions\.)?([\w.-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>/y;
  const segments = segmentsOf(inside, opening, '<|tool_call_end|>');
  return segments && allOf(segments, ({ name, body }) => callWith(name, body));
}

/** `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>` (gpt-oss). */
export function harmonyCalls(block: string): readonly WrittenCall[] | null {
  const opening =
    /(?:<\|start\|>assistant)?<\|channel\|>commentary to=functions\.([\w.-]+)\s*(?:<\|constrain\|>)?(?:json)?<\|message\|>/y;
  const segments = segmentsOf(block, opening, '<|call|>');
  return segments && allOf(segments, ({ name, body }) => callWith(name, body));
}
