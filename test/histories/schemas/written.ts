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
export const schemaOf = ({ event }: Word): object => z.toJSONSchema((event as z.ZodObject<{ payload: z.ZodType }>).shape.payload);

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
