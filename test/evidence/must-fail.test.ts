import { expect, test } from 'vitest';
import { boundNames } from '../../src/evidence/control/names-in-scope.ts';
import { mustFail } from '../../src/evidence/control/must-fail.ts';

const mark = { word: 'k1', numbers: [3, 4] } as const;
const added = (path: string, text: string) => mustFail(path, text, mark)?.added.slice(text.length);

test.each([
  ["import assert from 'node:assert';", 'assert.equal(3, 4)', 'it'],
  ["import * as assert from 'assert/strict';", 'assert.deepEqual([3], [4])', 'it'],
  ["import { equal as same } from 'node:assert';", 'same(3, 4)', 'it'],
  ["import { strict as assert } from 'node:assert';", 'assert.throws(() => {})', 'it'],
  ["const { ok } = require('node:assert');", 'ok(false)', 'it'],
  ["const assert = require('assert').strict;", 'assert.ok(false)', 'it'],
  ["test('a', () => require('node:assert').equal(1, 1));", "require('node:assert').equal(3, 4)", 'it'],
  ["import { test, expect as want } from 'vitest';", 'want(3).toBe(4)', 'test'],
  ["import { it as spec } from '@jest/globals';\nexpect(1).toBe(1);", 'expect(3).toBe(4)', 'spec'],
  ["import * as runner from 'node:test';", 'throw new Error', 'runner.test'],
  ["const test = require('node:test');", 'throw new Error', 'test'],
  ["import { expect } from 'chai';", 'expect(3).to.equal(4)', 'it'],
  ["import chai from 'chai';\nconst { expect } = chai;\nexpect(1).to.equal(1);", 'expect(3).to.equal(4)', 'it'],
  ["import { assert } from 'chai';", 'assert.deepEqual([3], [4])', 'it'],
])('V4 a file of JavaScript is asked by its own names: %s', (text, assertion, declare) => {
  const tests = added('test/sum.test.ts', text);
  expect(tests).toContain(assertion);
  expect(tests).toContain(`${declare === 'it' ? "(typeof it === 'function' ? it : test)" : declare}('k1x0x', `);
});

test.each([
  ['test_sum.py', 'def test_a(): pass\n', 'def test_k1x1x():\n    assert 3 == 4'],
  ['test_sum.py', 'import unittest\n', 'class Test_k1x2x(k1x2x.TestCase)'],
  ['test_sum.py', 'import pytest\n', 'pytest.raises(Exception, lambda: None)'],
  ['sum_test.go', 'package sum\n\nimport "testing"\n', 'func Test_k1x0x(t *testing.T) { t.Fatal(3) }'],
  ['sum_test.go', 'package sum\n\nimport (\n\t"testing"\n)\n', 'func Test_k1x1x('],
  ['tests/sum.rs', '', '#[test]\nfn k1x1x() { assert_eq!(3, 4) }'],
])('V4 %s is asked in its language', (path, text, expected) => {
  expect(added(path, text)).toContain(expected);
});

test.each([
  ['notes.txt', 'x'],
  ['src/lib.rs', '#[cfg(test)] mod tests {}'],
  ['sum_test.go', 'package sum\n\nimport other "testing"\n'],
])('V4 %s takes none', (path, text) => {
  expect(mustFail(path, text, mark)).toBeNull();
});

test('V4 a test file that cannot be loaded is replaced by the planted tests and their imports', () => {
  const text = "import { it } from 'node:test';\nimport { sum } from './sum.js';\nit('a', () => sum());\n";
  expect(mustFail('a.test.js', text, mark)?.alone).toMatch(/^import \{ it \} from 'node:test';\n\n;it\('k1x0x'/);
});

test('V4 each test has a label of its own', () => {
  const { labels = [], added: text = '' } = mustFail('a.test.js', "import assert from 'assert';", mark) ?? {};
  expect(new Set(labels).size).toBe(labels.length);
  for (const label of labels) expect(text.split(label)).toHaveLength(2);
});

test('V4 an import of a type alone is not used as a name of the test runner', () => {
  expect(boundNames("import type { TestContext } from 'node:test';\nimport { type A, it } from 'node:test';")).toEqual([
    { module: 'test', exported: 'it', local: 'it', statement: "import { type A, it } from 'node:test'" },
  ]);
});
