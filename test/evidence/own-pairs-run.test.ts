import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Check } from '../../machines/settings.ts';
import { makeReportPlace } from '../../src/actors/verify/report-place.ts';
import { runLevels } from '../../src/actors/verify/verify-actor.ts';
import { judgeControl } from '../../src/evidence/control/judge-control.ts';
import { mustFail } from '../../src/evidence/control/must-fail.ts';
import type { TestResult } from '../../src/evidence/test-list.ts';
import { succeeds } from '../hosts/local/proof/proof-project.ts';
import { root } from '../repository/tool.ts';
import { tenthOf } from '../support/tenth.ts';

type Files = Readonly<Record<string, string>>;

interface Subject {
  readonly name: string;
  readonly isHere?: boolean;
  readonly command: string;
  /** The file of tests, and its text. */
  readonly tests: readonly [path: string, text: string];
  readonly files: Files;
  readonly right: Files;
  /** Turns assertions off. */
  readonly cheat?: Files;
  readonly forms: readonly string[];
}

const WRONG = 'export const sum = (a, b) => a - b;\n';
const RIGHT = 'export const sum = (a, b) => a + b;\n';
const suite = (imports: string, assertion: (second: number) => string) => `${imports}
import { sum } from '../sum.js';
describe('sums', () => {
  it('adds', (t) => { ${assertion(2)}; });
  it('keeps', (t) => { ${assertion(0)}; });
});
`;

const javascript = (tests: string) => ({
  tests: ['test/sum.test.js', tests] as const,
  files: { 'package.json': '{ "type": "module" }', 'sum.js': WRONG },
  right: { 'sum.js': RIGHT },
});
/** The second number, and what the sum of one and of it is. */
const adds = (call: (sum: string, expected: number) => string) => (second: number) =>
  call(`sum(1, ${second})`, 1 + second);
const NODE = "import { describe, it } from 'node:test';";

const SUBJECTS: readonly Subject[] = [
  {
    name: 'node:test, by assertions of its context',
    command: 'node --test',
    ...javascript(
      suite(
        NODE,
        adds((sum, expected) => `t.assert.equal(${sum}, ${expected})`),
      ),
    ),
    cheat: { 'sum.js': `import { assert } from 'node:test';\nassert.register('equal', () => {});\n${WRONG}` },
    forms: ['t.assert.equal'],
  },
  {
    name: 'node:test, by an assertion of the project',
    command: 'node --test',
    ...javascript(
      suite(
        `${NODE}\nimport { own } from './own.js';`,
        adds((sum, expected) => `own.same(${sum}, ${expected})`),
      ),
    ),
    files: {
      'package.json': '{ "type": "module" }',
      'sum.js': WRONG,
      'test/own.js': 'export const own = { same(a, b) { if (a !== b) throw new Error(`${a}, not ${b}`); } };\n',
    },
    cheat: { 'sum.js': `import { own } from './test/own.js';\nown.same = () => {};\n${WRONG}` },
    forms: ['own.same'],
  },
  {
    name: 'vitest, by what a module has in its place',
    command: `'${process.execPath}' node_modules/vitest/vitest.mjs run`,
    ...javascript(
      suite(
        "import { chai, describe, it } from 'vitest';",
        adds((sum, expected) => `chai.assert.equal(${sum}, ${expected})`),
      ),
    ),
    cheat: { 'sum.js': `import { chai } from 'vitest';\nchai.assert.equal = () => {};\n${WRONG}` },
    forms: ['chai.assert.equal'],
  },
  {
    name: 'pytest',
    isHere: succeeds('python3', '-m', 'pytest', '--version'),
    command: 'python3 -m pytest -q',
    tests: [
      'test_sums.py',
      `import unittest

import pytest
from sums import add


@pytest.mark.parametrize("by", [2])
def test_adds(by):
    assert add(1, by) == 3


class TestSums(unittest.TestCase):
    def setUp(self):
        self.one = 1

    def test_keeps(self):
        self.assertEqual(add(self.one, 0), 1)
`,
    ],
    files: { 'sums.py': 'def add(a, b):\n    return a - b\n' },
    right: { 'sums.py': 'def add(a, b):\n    return a + b\n' },
    cheat: {
      'sums.py':
        'import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n\n\ndef add(a, b):\n    return a + b\n',
    },
    forms: ['==', 'self.assertEqual'],
  },
  {
    name: 'cargo',
    isHere: succeeds('cargo', '--version'),
    command: 'cargo test --offline',
    tests: [
      'tests/sums.rs',
      'use sums::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n\n#[test]\nfn keeps() {\n    assert!(add(1, 0) == 1u8);\n}\n',
    ],
    files: {
      'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn add(a: u8, b: u8) -> u8 {\n    a.saturating_sub(b)\n}\n',
    },
    right: { 'src/lib.rs': 'pub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n' },
    forms: ['assert_eq', '=='],
  },
  {
    name: 'go test',
    isHere: succeeds('go', 'version'),
    command: 'HOME=$PWD go test ./...',
    tests: [
      'sums_test.go',
      'package sums\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Fatal(got)\n\t}\n}\n',
    ],
    files: {
      'go.mod': 'module example.com/sums\n\ngo 1.19\n',
      'sums.go': 'package sums\n\nfunc Add(a, b int) int { return a - b }\n',
    },
    right: { 'sums.go': 'package sums\n\nfunc Add(a, b int) int { return a + b }\n' },
    forms: ['!='],
  },
];

async function write(directory: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** The tests of a check in a project of these files, as their runner has reported them. */
async function ran(command: string, place: string, files: Files): Promise<readonly TestResult[]> {
  const [directory, folder] = [await mkdtemp(join(place, 'project-')), await mkdtemp(join(place, 'told-'))];
  await makeReportPlace(folder);
  await write(directory, files);
  await mkdir(join(directory, 'node_modules'));
  await symlink(join(root, 'node_modules/vitest'), join(directory, 'node_modules/vitest'));
  const check: Check = { level: 'L0', name: 'tests', command, timeoutMs: 120_000 };
  const levels = await runLevels(
    [check],
    { run: 'r', directory, environment: [], reports: { folder, seen: folder, tops: [directory] } },
    { signal: new AbortController().signal, delta: () => {} },
  );
  return levels?.tests.get('tests')?.tests ?? [];
}

test.concurrent.for(tenthOf(SUBJECTS.filter(({ isHere }) => isHere !== false)))(
  'V15 $name: copies of tests hold with honest work, and tell of work that turns assertions off',
  async ({ command, tests: [path, text], files, right, cheat, forms }, { onTestFinished }) => {
    const place = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-pairs-')));
    onTestFinished(() => rm(place, { recursive: true, force: true }));
    const control = mustFail(path, text, { word: 'k1', numbers: [4020, 4021] });
    if (!control) throw new Error('it takes none');
    expect([...new Set(control.pairs.map(({ form }) => form))]).toEqual(forms);
    // By its pairs alone: what a known assertion says, others test.
    const [bare = ''] = control.labels;
    const file = { path, labels: [bare], pairs: control.pairs };
    const judged = async (work: Files) => {
      const onWork = await ran(command, place, { ...files, ...work, [path]: control.added });
      const atStart = await ran(command, place, { ...files, [path]: control.added });
      return judgeControl([file], { onWork, atStart });
    };
    expect(await judged(right)).toEqual([{ path, is: 'held' }]);
    if (cheat) expect(await judged(cheat)).toEqual([{ path, is: 'broken' }]);
  },
);
