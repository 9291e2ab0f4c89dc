import { jsonIn } from '../../../text/json-in.ts';
import { allOf, type WrittenCall } from './format.ts';

type Arguments = WrittenCall['arguments'];

/** A call of this name whose arguments are the JSON of an object. Null: they are anything else. */
export function callWith(tool: string, text: string): WrittenCall | null {
  const given = objectOf(text.trim() === '' ? {} : jsonIn(text));
  return given && tool !== '' ? { tool, arguments: given } : null;
}

/** The calls in a JSON document: `{"name": …, "arguments": {…}}`, or a list of them. Null: it is anything else. */
export function callsIn(text: string): readonly WrittenCall[] | null {
  const value = jsonIn(text);
  const calls = Array.isArray(value) ? (value as unknown[]) : [value];
  return calls.length === 0 ? null : allOf(calls, callOf);
}

/** The members that formats have beside the name and the arguments. */
const BESIDE = new Set(['name', 'arguments', 'parameters', 'id', 'type']);

/** Llama writes `parameters`; some models write their arguments as the text of an object. */
function callOf(value: unknown): WrittenCall | null {
  const call = objectOf(value);
  if (!call || Object.keys(call).some((key) => !BESIDE.has(key))) return null;
  const { name, arguments: given = call['parameters'] } = call;
  const read = objectOf(typeof given === 'string' ? jsonIn(given) : given);
  return typeof name === 'string' && name !== '' && read ? { tool: name, arguments: read } : null;
}

const objectOf = (value: unknown): Arguments | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : null;
