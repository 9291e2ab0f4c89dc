import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { catalogue } from '../../../machines/index.ts';
import { type Vocabulary, vocabularyOf, type Word } from '../../../machines/vocabulary.ts';

const folder = new URL('./', import.meta.url);

/**
 * One schema of one event, as it was when events were recorded with it: its payload as JSON Schema, and such payloads.
 */
export interface Written {
  readonly type: string;
  readonly number: number;
  readonly schema: object;
  readonly payloads: readonly object[];
}

/** Every event of the loops that ship. */
export const vocabulary: Vocabulary = new Map(catalogue.flatMap(({ events }) => [...vocabularyOf(events)]));

export const fileOf = (type: string, number: number): URL => new URL(`${type}.${number}.json`, folder);

/** The schema of a payload today. What JSON Schema has no words for, such as a refinement, is not in it. */
export const schemaOf = ({ event }: Word): object =>
  z.toJSONSchema((event as z.ZodObject<{ payload: z.ZodType }>).shape.payload);

/**
 * A schema in which any JSON is said in one way, `{}`: by a definition that contains itself, it is said by `z.json()`.
 */
export function withAnyJson(schema: object): object {
  const { $defs = {}, ...rest } = schema as { readonly $defs?: Readonly<Record<string, unknown>> };
  const any = Object.keys($defs).filter((name) => JSON.stringify($defs[name]) === JSON.stringify(anyJson(name)));
  const others = Object.fromEntries(Object.entries($defs).filter(([name]) => !any.includes(name)));
  const text = JSON.stringify(any.length < Object.keys($defs).length ? { ...rest, $defs: others } : rest);
  const plain = any.reduce((said, name) => said.replaceAll(JSON.stringify(referenceTo(name)), '{}'), text);
  return JSON.parse(plain) as object;
}

const referenceTo = (name: string): object => ({ $ref: `#/$defs/${name}` });

const anyJson = (name: string): object => ({
  anyOf: [
    ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
    { type: 'array', items: referenceTo(name) },
    { type: 'object', propertyNames: { type: 'string' }, additionalProperties: referenceTo(name) },
  ],
});

/** Every schema that is written down. */
export function written(): readonly Written[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json')).toSorted();
  return names.map((name) => {
    const [, type = '', number] = /^(.+)\.(\d+)\.json$/.exec(name) ?? [];
    return { type, number: Number(number), ...(JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Pick<Written, 'schema' | 'payloads'>) };
  });
}

/** A file of this folder: a line for each payload. */
export const textOf = ({ schema, payloads }: Pick<Written, 'schema' | 'payloads'>): string =>
  `{\n  "schema": ${JSON.stringify(schema)},\n  "payloads": [\n${payloads.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]\n}\n`;
