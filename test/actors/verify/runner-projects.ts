import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { succeeds } from '../../hosts/local/proof/proof-project.ts';
import { root } from '../../repository/tool.ts';

export type Files = Readonly<Record<string, string>>;

export interface Runner {
  readonly name: string;
  readonly command: string;
  /** Whether this machine has it. */
  readonly isHere: boolean;
  readonly files: Files;
  readonly right: Files;
  /** What the tests are called where the source is wrong. */
  readonly red: readonly string[];
  readonly green: readonly string[];
  readonly cheats: Readonly<Record<string, Files>>;
  /** It does not run tests alone. */
  readonly runsAll?: true;
}

const WRONG = 'export const sum = (a, b) => a - b;\n';
const RIGHT = 'export const sum = (a, b) => a + b;\n';
const SCRIPT = (test_: string) => JSON.stringify({ type: 'module', scripts: { test: `${test_} && true` } });
const node = (test_: string, imports: string) => `${imports}
import assert from 'node:assert';
import { sum } from '../sum.js';
${test_}('sums', () => {
  test('adds', () => assert.equal(sum(1, 2), 3));
  test('keeps', () => assert.equal(sum(1, 0), 1));
  test.skip('rounds', () => {});
});
`;
const installed = (name: string) => existsSync(join(root, 'node_modules', name, 'package.json'));
const NAMED = (file: string, result: string) => [
  `${file} sums > adds: ${result}`,
  `${file} sums > keeps: passed`,
  `${file} sums > rounds: skipped`,
];
const EXITS = 'process.exit(0);\n';

/** A project whose test adds, in a file of its own, and how it is made to look green. */
function nodeProject(
  runner: Omit<Runner, 'files' | 'right' | 'red' | 'green' | 'cheats'>,
  file: string,
  text: string,
): Runner {
  const script = runner.name === 'node:test' ? 'node --test' : runner.name;
  const manifest = runner.name === 'vitest' ? 'vitest run' : script;
  return {
    ...runner,
    files: { 'package.json': SCRIPT(manifest), 'sum.js': WRONG, [file]: text },
    right: { 'sum.js': RIGHT },
    red: NAMED(file, 'failed'),
    green: NAMED(file, 'passed'),
    cheats: {
      'exits on import': { 'sum.js': `${WRONG}${EXITS}` },
      'skips its tests': { [file]: text.replaceAll("test('", "test.skip('") },
    },
  };
}

const SUITE = 'test/sum.test.js';
const NODE = nodeProject(
  { name: 'node:test', command: 'npm test', isHere: true },
  SUITE,
  node('suite', "import { suite, test } from 'node:test';"),
);
export const RUNNERS: readonly Runner[] = [
  NODE,
  { ...NODE, name: 'node:test, with a reporter of its own', command: 'node --test --test-reporter=tap' },
  { ...NODE, name: 'node:test, started as a program', command: `node ${SUITE}` },
  nodeProject(
    { name: 'vitest', command: 'npm test', isHere: true },
    SUITE,
    node('describe', "import { describe, test } from 'vitest';"),
  ),
  nodeProject(
    { name: 'mocha', command: 'npm test', isHere: installed('mocha') },
    SUITE,
    node('describe', 'const test = it;')
      .replace('const test = it;\n', '')
      .replace("describe('sums'", "const test = it;\ndescribe('sums'"),
  ),
  {
    name: 'jest',
    command: 'npm test',
    isHere: installed('jest'),
    files: {
      'package.json': JSON.stringify({ scripts: { test: 'jest && true' } }),
      'sum.js': 'exports.sum = (a, b) => a - b;\n',
      [SUITE]: `const { sum } = require('../sum.js');
describe('sums', () => {
  test('adds', () => expect(sum(1, 2)).toBe(3));
  test('keeps', () => expect(sum(1, 0)).toBe(1));
  test.skip('rounds', () => {});
});
`,
    },
    right: { 'sum.js': 'exports.sum = (a, b) => a + b;\n' },
    red: NAMED(SUITE, 'failed'),
    green: NAMED(SUITE, 'passed'),
    cheats: { 'exits on import': { 'sum.js': `exports.sum = (a, b) => a - b;\n${EXITS}` } },
  },
  {
    name: 'ava',
    command: 'npm test',
    isHere: installed('ava'),
    files: {
      'package.json': SCRIPT('ava --no-worker-threads'),
      'sum.js': WRONG,
      [SUITE]: `import test from 'ava';
import { sum } from '../sum.js';
test('adds', (t) => t.is(sum(1, 2), 3));
test('keeps', (t) => t.is(sum(1, 0), 1));
test.skip('rounds', (t) => t.fail());
`,
    },
    right: { 'sum.js': RIGHT },
    red: [`${SUITE} adds: failed`, `${SUITE} keeps: passed`, `${SUITE} rounds: skipped`],
    green: [`${SUITE} adds: passed`, `${SUITE} keeps: passed`, `${SUITE} rounds: skipped`],
    runsAll: true,
    cheats: { 'exits on import': { 'sum.js': `${WRONG}${EXITS}` } },
  },
  {
    name: 'tape',
    command: `node ${SUITE}`,
    isHere: installed('tape'),
    files: {
      'package.json': SCRIPT('tape'),
      'sum.js': WRONG,
      [SUITE]: `import test from 'tape';
import { sum } from '../sum.js';
test('adds', (t) => {
  t.equal(sum(1, 2), 3);
  t.end();
});
test('sums', (t) => {
  t.test('keeps', (inner) => {
    inner.equal(sum(1, 0), 1);
    inner.end();
  });
  t.end();
});
test('rounds', { skip: true }, (t) => t.fail());
`,
    },
    right: { 'sum.js': RIGHT },
    red: [`${SUITE} adds: failed`, `${SUITE} rounds: skipped`, `${SUITE} sums > keeps: passed`],
    green: [`${SUITE} adds: passed`, `${SUITE} rounds: skipped`, `${SUITE} sums > keeps: passed`],
    runsAll: true,
    cheats: { 'exits on import': { 'sum.js': `${WRONG}${EXITS}` } },
  },
  {
    name: 'pytest',
    command: 'PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider',
    isHere: succeeds('python3', '-m', 'pytest', '--version'),
    files: {
      'sums.py': 'def add(a, b):\n    return a - b\n',
      'tests/test_sums.py': `import pytest
import sums

class TestSums:
    @pytest.mark.parametrize('pair', ['1::2', '2 3'])
    def test_adds(self, pair):
        one, other = pair.replace('::', ' ').split()
        assert sums.add(int(one), int(other)) == int(one) + int(other)

def test_keeps():
    assert sums.add(1, 0) == 1

@pytest.mark.skip
def test_rounds():
    pass
`,
      'conftest.py': '',
    },
    right: { 'sums.py': 'def add(a, b):\n    return a + b\n' },
    red: [
      'tests/test_sums.py TestSums > test_adds[1::2]: failed',
      'tests/test_sums.py TestSums > test_adds[2 3]: failed',
      'tests/test_sums.py test_keeps: passed',
      'tests/test_sums.py test_rounds: skipped',
    ],
    green: [
      'tests/test_sums.py TestSums > test_adds[1::2]: passed',
      'tests/test_sums.py TestSums > test_adds[2 3]: passed',
      'tests/test_sums.py test_keeps: passed',
      'tests/test_sums.py test_rounds: skipped',
    ],
    cheats: { 'exits on import': { 'sums.py': 'import os\nos._exit(0)\n' } },
  },
  {
    name: 'unittest',
    command: 'PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t .',
    isHere: succeeds('python3', '--version'),
    files: {
      'sums.py': 'def add(a, b):\n    return a - b\n',
      'tests/__init__.py': '',
      'tests/test_sums.py': `import unittest
import sums

class Sums(unittest.TestCase):
    def test_adds(self):
        for other in (0, 2):
            with self.subTest(other=other):
                self.assertEqual(sums.add(1, other), 1 + other)

    def test_keeps(self):
        self.assertEqual(sums.add(1, 0), 1)

    @unittest.skip('later')
    def test_rounds(self):
        pass
`,
    },
    right: { 'sums.py': 'def add(a, b):\n    return a + b\n' },
    red: [
      'tests/test_sums.py Sums > test_adds: failed',
      'tests/test_sums.py Sums > test_keeps: passed',
      'tests/test_sums.py Sums > test_rounds: skipped',
    ],
    green: [
      'tests/test_sums.py Sums > test_adds: passed',
      'tests/test_sums.py Sums > test_keeps: passed',
      'tests/test_sums.py Sums > test_rounds: skipped',
    ],
    cheats: {
      'exits on import': { 'sums.py': 'import os\nos._exit(0)\n' },
      'skips its tests': { 'sums.py': 'import unittest\nraise unittest.SkipTest()\n' },
    },
  },
  {
    name: 'go test',
    command: 'HOME=$PWD go test ./...',
    isHere: succeeds('go', 'version'),
    files: {
      'go.mod': 'module example.com/sums\n\ngo 1.19\n',
      'lib/sums.go': 'package lib\n\nfunc Add(a, b int) int { return a - b }\n',
      'lib/sums_test.go': `package lib

import "testing"

func TestAdds(t *testing.T) {
	t.Run("two", func(t *testing.T) {
		if Add(1, 2) != 3 {
			t.Error("no")
		}
	})
}

func TestRounds(t *testing.T) { t.Skip("later") }
`,
    },
    right: { 'lib/sums.go': 'package lib\n\nfunc Add(a, b int) int { return a + b }\n' },
    red: ['lib TestAdds > two: failed', 'lib TestAdds: failed', 'lib TestRounds: skipped'],
    green: ['lib TestAdds > two: passed', 'lib TestAdds: passed', 'lib TestRounds: skipped'],
    cheats: {
      'exits on import': {
        'lib/sums.go':
          'package lib\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Add(a, b int) int { return a - b }\n',
      },
    },
  },
];
