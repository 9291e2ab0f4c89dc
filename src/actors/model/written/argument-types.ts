import type { Json } from '../../../log/envelope.ts';
import { jsonIn } from '../../../text/json-in.ts';
import type { ToolSpec } from '../../tool-spec.ts';
import type { WrittenCall } from './format.ts';

type Properties = Readonly<Record<string, { readonly type?: unknown } | undefined>>;

/** The arguments of a written call, each text as the type that the schema of the tool has for it. */
export function typedArguments(call: WrittenCall, { inputSchema }: ToolSpec): WrittenCall['arguments'] {
  if (!call.isTextual) return call.arguments;
  const { properties } = Object(inputSchema) as { readonly properties?: Properties };
  return Object.fromEntries(
    Object.entries(call.arguments).map(([name, text]) => [name, typed(text, Object(properties?.[name]).type)]),
  );
}

/** A text stays one where the schema wants it, and where it is no JSON: the tool says what is wrong with it. */
function typed(text: Json, type: unknown): Json {
  const wanted = Array.isArray(type) ? (type as unknown[]) : [type];
  if (typeof text !== 'string' || type === undefined || wanted.includes('string')) return text;
  const value = jsonIn(text.trim());
  return value === undefined ? text : (value as Json);
}
