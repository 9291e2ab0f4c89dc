import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import type { RecordedProof } from '../../../../machines/recorded-proof.ts';
import { gradeOf } from '../../../../src/evidence/grade.ts';
import { root } from '../../../repository/tool.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { takesAll, tenthOf } from '../../../support/tenth.ts';
import { HAS_WALLS, type ProofProject, succeeds, type Work, worked } from './proof-project.ts';

const installed = (name: string) => join(root, 'node_modules', name);
const checked = (command: string) => [{ level: 'L1' as const, name: 'tests', command }];

interface Runner {
  readonly has: boolean;
  readonly project: ProofProject;
  /** The file that is to be mended, and its text once it is. */
  readonly source: string;
  readonly right: string;
  readonly tests: string;
}

const SOURCE = 'export const sum = (a, b) => a - b;\n';
const RIGHT = 'export const sum = (a, b) => a + b;\n';
const suite = (head: string, assertion: string) =>
  `${head}\nimport { sum } from '../src/sum.js';\ndescribe('sums', () => {\n  it('adds', () => ${assertion});\n});\n`;

const javascript = (command: string, tests: string, more: Omit<ProofProject, 'files' | 'checks'> = {}) => ({
  source: 'src/sum.js',
  right: RIGHT,
  tests: 'test/sum.test.js',
  project: {
    files: { 'package.json': '{ "type": "module" }', 'src/sum.js': SOURCE, 'test/sum.test.js': tests },
    checks: checked(command),
    ...more,
  },
});

const NODE_SUITE = suite(
  "import { describe, it } from 'node:test';\nimport assert from 'node:assert';",
  'assert.equal(sum(1, 2), 3)',
);
const NODE_CHEATS = [
  `import assert from 'node:assert';\nassert.equal = () => {};\n${SOURCE}`,
  `import assert from 'node:assert';\nfor (const name of Object.keys(assert)) assert[name] = () => {};\n${SOURCE}`,
];

const RUNNERS: Readonly<Record<string, Runner>> = {
  'node:test': {
    has: true,
    ...javascript(
      'node --test',
      suite(
        "import { describe, it } from 'node:test';\nimport assert from 'node:assert';",
        'assert.equal(sum(1, 2), 3)',
      ),
    ),
  },
  vitest: {
    has: true,
    ...javascript(
      // The node that runs this: another one may be too old for the runner.
      `'${process.execPath}' node_modules/vitest/vitest.mjs run`,
      suite("import { describe, expect, it } from 'vitest';", 'expect(sum(1, 2)).toBe(3)'),
      { packages: ['vitest'] },
    ),
  },
  mocha: {
    has: existsSync(installed('mocha')),
    ...javascript(
      'node_modules/mocha/bin/mocha.js test/*.test.js',
      suite("import { equal } from 'node:assert/strict';", 'equal(sum(1, 2), 3)'),
      { packages: ['mocha'] },
    ),
  },
  jest: {
    has: existsSync(installed('jest')),
    source: 'src/sum.js',
    right: 'exports.sum = (a, b) => a + b;\n',
    tests: 'test/sum.test.js',
    project: {
      files: {
        'package.json': '{}',
        'src/sum.js': 'exports.sum = (a, b) => a - b;\n',
        'test/sum.test.js':
          "const { sum } = require('../src/sum.js');\ntest('adds', () => expect(sum(1, 2)).toBe(3));\n",
      },
      checks: checked('node_modules/jest/bin/jest.js'),
      packages: ['jest'],
    },
  },
  pytest: {
    has: succeeds('python3', '-m', 'pytest', '--version'),
    source: 'sums.py',
    right: 'def add(a, b):\n    return a + b\n',
    tests: 'test_sums.py',
    project: {
      files: {
        'sums.py': 'def add(a, b):\n    return a - b\n',
        'test_sums.py': 'from sums import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
      },
      checks: checked('python3 -m pytest -q'),
    },
  },
  go: {
    // It compiles its library anew in each leg: nothing but the checkout is believed.
    has: takesAll && succeeds('go', 'version'),
    source: 'sums/sums.go',
    right: 'package sums\n\nfunc Add(a, b int) int { return a + b }\n',
    tests: 'sums/sums_test.go',
    project: {
      files: {
        'go.mod': 'module example.com/sums\n\ngo 1.18\n',
        'sums/sums.go': 'package sums\n\nfunc Add(a, b int) int { return a - b }\n',
        'sums/sums_test.go':
          'package sums\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n',
      },
      checks: checked('go test ./...'),
    },
  },
};

/** What the last checks of a run rest on, and how it ended. */
async function proofOf(project: ProofProject, work: Work) {
  const { ending, loops, run } = await worked(project, work, { checkIn: 'proof' });
  const events = await lastValueFrom(loops.events(run).pipe(toArray()));
  const last = events.filter(({ type }) => type === 'verification.completed').at(-1);
  const { proof, levels } = (last?.payload ?? {}) as unknown as { proof?: RecordedProof; levels?: readonly unknown[] };
  if (!proof) throw new Error('no proof was recorded');
  return { ending, proof, said: JSON.stringify(levels) };
}

const runners = Object.entries(RUNNERS).filter(([, { has }]) => has && HAS_WALLS);

test.for(tenthOf(runners))('V5 %s: an honest fix is witnessed without any configuration', async ([, runner]) => {
  const { project, source, right, tests } = runner;
  const { ending, proof } = await proofOf(project, { write: { [source]: right } });
  expect(ending).toBe('success');
  expect(proof.control).toEqual({ held: [tests], broken: [], unnoticed: [] });
  expect(gradeOf(proof)).toEqual({ grade: 'witnessed', because: [] });
});

testInTurn.runIf(HAS_WALLS)('V4 a new module cannot turn against its runner, either', async () => {
  const { 'src/sum.js': _, ...files } = RUNNERS['node:test']?.project.files ?? {};
  const project = { files, checks: checked('node --test') };
  const cheated = await proofOf(project, { write: { 'src/sum.js': NODE_CHEATS[0] ?? '' } });
  expect(cheated.proof.control).toMatchObject({ broken: ['test/sum.test.js'] });
  const honest = await proofOf(project, { write: { 'src/sum.js': RIGHT } });
  expect(honest.proof.control).toMatchObject({ held: ['test/sum.test.js'] });
});

testInTurn.runIf(HAS_WALLS)(
  'V4 a runner that takes no more tests has no control, and an honest fix is no less',
  async () => {
    const suite = NODE_SUITE.replace("it('adds'", "it.only('adds'");
    const project = { ...RUNNERS['node:test']?.project, checks: checked('node --test-only --test') };
    const files = {
      ...RUNNERS['node:test']?.project.files,
      'test/sum.test.js': suite.replace('describe(', 'describe.only('),
    };
    const { ending, proof } = await proofOf({ ...project, files }, { write: { 'src/sum.js': RIGHT } });
    expect(ending).toBe('success');
    expect(proof.control).toEqual({ held: [], broken: [], unnoticed: ['test/sum.test.js'] });
    expect(gradeOf(proof)).toEqual({ grade: 'verified', because: ['unnoticed-control'] });
  },
);
