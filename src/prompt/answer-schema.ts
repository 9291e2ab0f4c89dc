import { z } from 'zod';
import type { Json } from '../../machines/json.ts';
import { jsonIn } from '../text/json-in.ts';

/** The most faults of one answer that a model is told. */
const MAX_FAULTS = 10;

/** What an answer is as data, or what of it does not fit: sentences for the model. */
export type ReadAnswer =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'unfit'; readonly faults: readonly string[] };

/**
 * A JSON Schema as a check of answers. Throws an `Error` that says which part of it cannot be checked.
 *
 * @example
 * const read = answersBy({ type: 'object', properties: { files: { type: 'integer' } }, required: ['files'] });
 * read('{"files": 2}'); // { kind: 'value', value: { files: 2 } }
 */
export function answersBy(schema: Json): (answer: string) => ReadAnswer {
  const parsed = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  return (answer) => {
    const value = jsonAnswer(answer);
    if (value === undefined) return { kind: 'unfit', faults: ['it is not JSON'] };
    const checked = parsed.safeParse(value);
    // The answer as it is: a schema of others may have defaults, which the model has not said.
    if (checked.success) return { kind: 'value', value: value as Json };
    const { issues } = checked.error;
    const faults = issues.slice(0, MAX_FAULTS).map(({ path, message }) => `${placeOf(path)}: ${message}`);
    const more = issues.length - faults.length;
    return { kind: 'unfit', faults: more > 0 ? [...faults, `and ${more} more`] : faults };
  };
}

/** What the model is told of the form of its answer. */
export const answerFormText = (schema: Json): string =>
  [
    'Your final answer is read by a program: it is one JSON value, and nothing else around it. It has to fit this JSON',
    `Schema:\n\n${JSON.stringify(schema)}`,
  ].join(' ');

/** What the model is told of an answer that does not fit. */
export const unfitText = (faults: readonly string[]): string =>
  `Your answer does not fit its JSON Schema:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nAnswer again, with one JSON value that fits, and nothing else around it.`;

/** JSON Pointer of a place in a value. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? 'the value' : path.map((part) => `/${String(part)}`).join('');

/** The value of an answer that is JSON; a model may put it into a block of code. Undefined: it is no JSON. */
export const jsonAnswer = (answer: string): unknown =>
  jsonIn(/^\s*```\w*\n([^]*?)\n```\s*$/.exec(answer)?.[1] ?? answer);
