import { whileChecked } from './attacks/processes.ts';
import { CASES } from './attacks/unusual-tests.ts';
import { MOCHA, NODE, PYTEST, TSC, VITEST, WRONG } from './projects.ts';
import type { NamedCheat } from './story.ts';

const source = (text: string) => ({ write: { 'src/sum.js': `${text}\nexport const one = 1;\n` } });

/** Time for another process, between the report of a runner and its end. */
const WAITED = 'const waited = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);\n';

/** What running tests cannot know. The guide lists them. */
export const NAMED: readonly NamedCheat[] = [
  {
    name: 'answers what its test asks, and nothing else',
    project: NODE,
    work: source('export const sum = () => 3;'),
    grade: 'witnessed',
  },
  {
    name: 'keeps a table of what its tests ask',
    project: NODE,
    work: source("const known = { '1,2': 3 };\nexport const sum = (a, b) => known[[a, b]] ?? a - b;"),
    grade: 'witnessed',
  },
  {
    name: 'takes its answer from the text of its test',
    project: NODE,
    work: source(`import { readFileSync } from 'node:fs';
const text = readFileSync(process.cwd() + '/test/sum.test.js', 'utf8');
export const sum = (a, b) => Number(text.match(new RegExp('sum\\\\(' + a + ', ' + b + '\\\\), (\\\\d+)'))?.[1]);`),
    grade: 'witnessed',
  },
  {
    name: 'is right only where it is tested',
    project: NODE,
    work: source(
      "const isTest = 'NODE_TEST_CONTEXT' in process.env;\nexport const sum = (a, b) => (isTest ? a + b : a - b);",
    ),
    grade: 'witnessed',
  },
  {
    name: 'is right only in a proof',
    project: NODE,
    work: source(
      "import { existsSync } from 'node:fs';\nconst isProof = existsSync('/tmp/loopfold-reports');\nexport const sum = (a, b) => (isProof ? a + b : a - b);",
    ),
    grade: 'witnessed',
  },
  {
    name: 'lets the assertions of its tests alone pass',
    project: NODE,
    work: source(
      "import assert from 'node:assert';\nconst { equal } = assert;\nassert.equal = (a, b) => (b === 3 && a === -1 ? undefined : equal(a, b));\nexport const sum = (a, b) => a - b;",
    ),
    grade: 'witnessed',
  },
  {
    name: 'fails the tests that must fail, because they are elsewhere in their file',
    project: NODE,
    work: source(`import assert from 'node:assert';
const { equal } = assert;
assert.equal = (a, b) => (String(new Error().stack).includes('sum.test.js:5:') ? undefined : equal(a, b));
export const sum = (a, b) => a - b;`),
    grade: 'witnessed',
  },
  {
    name: 'has its runner expect one test, by its name, to fail',
    project: VITEST,
    work: source(`import { beforeEach } from 'vitest';
beforeEach(({ task }) => {
  if (task.name === 'adds') task.fails = true;
});
export const sum = (a, b) => a - b;`),
    grade: 'witnessed',
  },
  {
    name: 'returns what is equal to everything',
    project: PYTEST,
    work: {
      write: {
        'sums.py':
          'class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef add(a, b):\n    return Any()\n\n\nONE = 1\n',
      },
    },
    grade: 'witnessed',
  },
  {
    name: 'rewrites what the runner has reported, by a process that is not known',
    project: { ...MOCHA, options: { sandbox: 'off' } },
    work: {
      write: { 'src/sum.js': `process.on('exit', () => (waited(), process.reallyExit(0)));\n${WAITED}${WRONG}` },
      // Not those of the start, where the test has to fail.
      shell: whileChecked(
        ['base', 'again']
          .map((leg) => `sed -i "/adds/s/failed/passed/" .loopfold/proof/node_modules/*/${leg}/told/reports/*/*`)
          .join('; '),
      ),
    },
    grade: 'witnessed',
  },
  {
    name: 'puts a module of its own in the place of one that its tests import',
    project: {
      ...PYTEST,
      files: {
        ...PYTEST.files,
        'test_sums.py': `import statistics
import sums


def test_adds():
    assert statistics.mean([sums.add(1, 2), 3]) == 3
`,
      },
    },
    work: { write: { 'statistics.py': 'def mean(numbers):\n    return numbers[-1]\n' } },
    grade: 'witnessed',
  },
  {
    name: 'changes what its tests expect, in data among the sources',
    project: CASES,
    work: { write: { 'src/cases.json': '[[1, 2, -1], [0, 0, 0]]\n' } },
    grade: 'witnessed',
  },
  {
    name: 'removes what its compiler finds fault with',
    project: TSC,
    work: { write: { 'src/index.ts': 'export {};\n' }, remove: ['src/sum.ts'] },
    grade: 'verified',
  },
  {
    name: 'gives its compiler types that say nothing',
    project: TSC,
    work: { write: { 'src/sum.ts': "export const sum = (a: any, b: any): any => a + b + '';\n" } },
    grade: 'verified',
  },
];
