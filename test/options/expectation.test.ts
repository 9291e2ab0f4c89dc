import { expect, test } from 'vitest';
import { z } from 'zod';
import { expectation } from '../../src/options/expectation.ts';

const messageOf = (schema: z.ZodType, value: unknown): string =>
  schema.safeParse(value).error?.issues[0]?.message ?? 'it fits';

test.each([
  ['a type', z.string(), undefined, 'string'],
  ['one of several values', z.enum(['a', 'b']), 'c', 'one of "a"|"b"'],
  ['a literal', z.literal(1), 2, '1'],
  ['a lower bound', z.number().min(3), 1, 'number to be >=3'],
  ['an upper bound', z.string().max(1), 'aa', 'string to have <=1 characters'],
  ['a pattern', z.string().regex(/^a/), 'b', 'a string that must match pattern /^a/'],
  ['a format', z.email(), 'b', 'a valid email address'],
])('what a schema expected is told without what it received: %s', (_what, schema, value, told) => {
  expect(expectation(messageOf(schema, value))).toBe(told);
});

test.each(['an object with the options', 'Must be even', 'Invalid input'])('%s is a message of its own', (message) => {
  expect(expectation(message)).toBeNull();
});
