import { expect, test } from 'vitest';
import {
  distinctiveLines,
  isContaminated,
  LineSearch,
} from '../../../../src/loops/improvement/evaluation/distinctive-lines.ts';

const EXAM = `import test from 'node:test';
const assert = require('node:assert');

test('interest is compounded monthly and rounded down', () => {
  assert.equal(interest(1_000, 12), 126.82);
  assert.ok(true);
});
`;

function foundIn(...texts: readonly string[]) {
  const lines = distinctiveLines([EXAM]);
  const search = new LineSearch(lines);
  for (const text of texts) search.look(text);
  return { found: search.found, is: isContaminated(search.found, lines.length) };
}

test('I9 imports, brackets and short lines are in every test, and tell nothing', () => {
  expect(distinctiveLines([EXAM])).toEqual([
    "test('interest is compounded monthly and rounded down', () => {",
    'assert.equal(interest(1_000, 12), 126.82);',
  ]);
  expect(
    foundIn("import test from 'node:test';\nconst assert = require('node:assert');\nassert.ok(true);\n});"),
  ).toEqual({
    found: [],
    is: false,
  });
});

test('I9 a line is found within another one, with other white space, and over two lines', () => {
  expect(foundIn('  12\tassert.equal(interest(1_000,\n   12), 126.82); // copied').found).toHaveLength(1);
});

test('I9 one short line may be a coincidence, but not two, nor a long one', () => {
  expect(foundIn('assert.equal(interest(1_000, 12), 126.82);').is).toBe(false);
  expect(foundIn("test('interest is compounded monthly and rounded down', () => {").is).toBe(true);
  expect(foundIn(EXAM).is).toBe(true);
  expect(isContaminated(['assert.equal(interest(1_000, 12), 126.82);'], 1)).toBe(true);
  expect(isContaminated([], 0)).toBe(false);
});
