import { expect, test } from 'vitest';
import { doubledName } from '../../src/text/double-name.ts';

test.each([
  ['at the top', '{"a": 1, "b": 2, "a": 3}', 'a'],
  ['deep inside', '{"a": [{"b": {"c": 1}}, {"b": 1, "b": 1}]}', 'b'],
  ['spelt otherwise', String.raw`{"a": 1, "\u0061": 2}`, 'a'],
  ['behind another object', '{"a": {"a": 1}, "b": {"a": 1}, "a": 2}', 'a'],
  ['empty', '{"": 1, "": 2}', ''],
])('a name that an object has twice is found: %s', (_, json, name) => expect(doubledName(json)).toBe(name));

test.each([
  '{"a": {"a": 1}, "b": {"a": 1}}',
  '[{"a": 1}, {"a": 1}]',
  String.raw`{"a": "\"a\": 1, \"a\": {", "b": "}", "c": "\\"}`,
  '{"a": "a", "b": "a"}',
  '"a"',
  '[]',
])('names of several objects, and words in texts, are no such: %s', (json) => expect(doubledName(json)).toBeNull());
