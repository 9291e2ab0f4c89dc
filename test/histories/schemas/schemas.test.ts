import { expect, test } from 'vitest';
import { readEvent } from '../../../src/log/read-event.ts';
import { fileOf, schemaOf, vocabulary, withAnyJson, written } from './written.ts';

const all = written();
const named = all.map((one) => [`${one.type} ${one.number}`, one] as const);
const today = [...vocabulary].map(([type, word]) => [type, word] as const);

test.each(today)('%s: every number of its schema up to the one of today is written down', (type, { schema }) => {
  const numbers = all.filter((one) => one.type === type).map(({ number }) => number).toSorted((a, b) => a - b);
  expect(numbers, 'run: node test/histories/schemas/record.ts').toEqual(Array.from({ length: schema }, (_, index) => index + 1));
});

test('nothing is written down of an event that can no longer be read', () => {
  expect(all.filter(({ type }) => !vocabulary.has(type)).map(({ type, number }) => `${type} ${number}`)).toEqual([]);
});

test.each(today)('%s: its payload is what its schema number was recorded with', (type, word) => {
  const remedy = `The payload of ${type} has changed, and its number is still ${word.schema}. Give it the next one: add the upcast from ${word.schema}`
    + ` to its fact(…) in machines/ (unchanged, if every recorded payload is still valid), then run: node test/histories/schemas/record.ts.`
    + ` Where no release has recorded with ${word.schema}, remove ${fileOf(type, word.schema).pathname} and run it instead.`;
  const { schema = {} } = all.find((one) => one.type === type && one.number === word.schema) ?? {};
  expect(withAnyJson(schemaOf(word)), remedy).toEqual(withAnyJson(schema));
});

test.each(named)('%s: what was recorded with it is read, and fits the schema of today', (_name, { type, number, payloads }) => {
  expect(payloads.length).toBeGreaterThan(0);
  const word = vocabulary.get(type);
  for (const payload of payloads) {
    const envelope = { run: 'run', version: 1, at: '2026-03-01T12:00:00.000Z', type, schema: number, payload: payload as never };
    const read = readEvent(envelope, { vocabulary, isWhole: true, knowsLoop: true, writtenBy: { machine: null, program: null } });
    expect(read).toMatchObject({ kind: 'event', event: { type } });
    expect(read.kind === 'event' && word?.event.safeParse({ type, payload: read.event.payload }).error).toBe(undefined);
  }
});
