import { allOf, type Segment, segmentsOf, type WrittenCall } from './format.ts';
import { callsIn, callWith } from './json-calls.ts';

// Calls between tags that look like XML. Each function reads a text that is nothing but such calls; null: it is not.

/** `<tool_call>…</tool_call>` around JSON (Hermes, Qwen), a function (Qwen-Coder) or keys with values (GLM). */
export function toolCalls(block: string): readonly WrittenCall[] | null {
  const segments = segmentsOf(block, /<tool_call>/y, '</tool_call>');
  const read = segments && allOf(segments, ({ body }) => callsIn(body) ?? functions(body) ?? keyedCall(body));
  return read && read.flat();
}

/** `<function=name><parameter=key>value</parameter></function>`, or `<function=name>{…}</function>`. */
export function functions(block: string): readonly WrittenCall[] | null {
  // Qwen-Coder may leave the opening `<tool_call>` out, and write the closing one.
  const own = block.trim().replace(/<\/tool_call>$/, '');
  const segments = segmentsOf(own, /<function=([^>\s]+)>/y, '</function>');
  return segments && allOf(segments, ({ name, body }) => callWith(name, body) ?? functionCall(name, body));
}

/** `<invoke name="…"><parameter name="…">value</parameter></invoke>`, inside a tag of the model's house. */
export function invocations(block: string): readonly WrittenCall[] | null {
  const plain = block.replaceAll('｜DSML｜', '');
  const inside = plain.replace(INVOKE_OPENING, '').replace(/<\/(?:[a-z]+:)?(?:function_calls|tool_call)>\s*$/, '');
  const segments = segmentsOf(inside, /<invoke name="([^">]+)">/y, '</invoke>');
  return (
    segments && allOf(segments, ({ name, body }) => parametersCall(name, body, /<parameter name="([^">]+)"[^>]*>/y))
  );
}

const INVOKE_OPENING = /^\s*<(?:[a-z]+:)?(?:function_calls|tool_call)>/;

const functionCall = (tool: string, body: string) => parametersCall(tool, body, /<parameter=([^>\s]+)>/y);

function parametersCall(tool: string, body: string, opening: RegExp): WrittenCall | null {
  if (body.trim() === '') return { tool, arguments: {} };
  const parameters = segmentsOf(body, opening, '</parameter>');
  return parameters && textual(tool, parameters);
}

/** `name` and then `<arg_key>key</arg_key><arg_value>value</arg_value>` for each argument. */
function keyedCall(body: string): readonly WrittenCall[] | null {
  const [name = ''] = body.split('<arg_key>', 1);
  const tool = name.trim();
  if (!/^[\w.-]+$/.test(tool)) return null;
  const given = body.slice(name.length);
  if (given.trim() === '') return [{ tool, arguments: {} }];
  const pairs = segmentsOf(given, /<arg_key>/y, '</arg_value>');
  const read = pairs && allOf(pairs, ({ body: pair }) => keyed(pair));
  return read && [textual(tool, read)];
}

function keyed(pair: string): Segment | null {
  const [name, value, ...more] = pair.split(/<\/arg_key>\s*<arg_value>/);
  return name !== undefined && value !== undefined && more.length === 0 ? { name: name.trim(), body: value } : null;
}

/** A value is what stands between its tags, less the line ends beside them. */
const textual = (tool: string, parameters: readonly Segment[]): WrittenCall => ({
  tool,
  arguments: Object.fromEntries(parameters.map(({ name, body }) => [name, body.replace(/^\n/, '').replace(/\n$/, '')])),
  isTextual: true,
});
