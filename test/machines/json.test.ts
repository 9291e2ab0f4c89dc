import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Json, MAX_JSON_DEPTH } from '../../machines/json.ts';

const anything = fc.anything({ withSparseArray: true, withDate: true, withBigInt: true, withNullPrototype: true });

test('any JSON is what zod calls so', () => {
  const law = fc.property(fc.oneof(fc.jsonValue(), anything), (value) => {
    expect(Json.safeParse(value).success).toBe(z.json().safeParse(value).success);
  });
  fc.assert(law, { numRuns: 2_000 });
});

test('JSON that is nested too deeply is refused, and ends no process', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  expect(Json.safeParse(nested(MAX_JSON_DEPTH)).success).toBe(true);
  expect(Json.safeParse(nested(MAX_JSON_DEPTH + 1)).success).toBe(false);
  expect(Json.safeParse(nested(100_000)).success).toBe(false);
});

test('a value stays the very same', () => {
  const value = { b: [1, { c: null }], a: 'text' };
  expect(Json.parse(value)).toBe(value);
});
