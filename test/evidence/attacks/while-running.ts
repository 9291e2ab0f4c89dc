import { JEST, JEST_WRONG, MOCHA, NODE, NODE_SUITE, PYTEST, PYTHON_WRONG, VITEST, WRONG } from '../projects.ts';
import { attacks } from '../story.ts';

const source = (before: string) => ({ write: { 'src/sum.js': `${before}\n${WRONG}` } });
const python = (before: string) => ({ write: { 'sums.py': `${before}\n\n\n${PYTHON_WRONG}` } });
const SKIPS = 'export const sum = (a, b) => { throw SKIP; };\nexport const one = 1;\n';

/** Two files of tests, of which the first is loaded before the second. */
const TWO = {
  ...NODE,
  files: {
    ...NODE.files,
    'test/a.test.js':
      "import { it } from 'node:test';\nimport { one } from '../src/sum.js';\nit('is there', () => one);\n",
  },
  checks: ['L1:node --test --test-concurrency=1'],
};

const WEAKENS = `import { readFileSync, writeFileSync } from 'node:fs';
const suite = new URL('../test/sum.test.js', import.meta.url);
const before = readFileSync(suite, 'utf8');
writeFileSync(suite, before.replace('assert.equal(sum(1, 2), 3)', 'true'));
`;

/** Sources that use what their runner offers: matchers, hooks and marks. Some write to their tests while these run. */
export const BY_RUNNING = attacks('runner', 'control', [
  {
    name: 'extends vitest with a matcher of its own',
    project: VITEST,
    work: source(
      "import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });",
    ),
  },
  {
    name: 'extends jest with a matcher of its own',
    project: JEST,
    work: {
      write: {
        'src/sum.js': `expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${JEST_WRONG}`,
      },
    },
  },
  {
    name: 'has a hook of mocha forget what failed',
    project: MOCHA,
    work: source("afterEach(function () { this.currentTest.state = 'passed'; delete this.currentTest.err; });"),
    by: 'lost-tests',
  },
  {
    name: 'skips the test of mocha that calls it',
    project: MOCHA,
    work: {
      write: {
        'src/sum.js': `let current;\nbeforeEach(function () { current = this; });\n${SKIPS.replace('throw SKIP', 'current.skip()')}`,
      },
    },
    by: 'lost-tests',
  },
  {
    name: 'skips the test of pytest that calls it',
    project: PYTEST,
    work: { write: { 'sums.py': "import pytest\n\n\ndef add(a, b):\n    pytest.skip('later')\n\n\nONE = 1\n" } },
    by: 'lost-tests',
  },
  {
    name: 'says that the test of pytest that calls it is expected to fail',
    project: PYTEST,
    work: { write: { 'sums.py': "import pytest\n\n\ndef add(a, b):\n    pytest.xfail('later')\n\n\nONE = 1\n" } },
    by: 'lost-tests',
  },
  {
    name: 'makes a false assertion of Python skip its test',
    project: PYTEST,
    work: python('import builtins\n\nimport pytest\n\nbuiltins.AssertionError = pytest.skip.Exception'),
    by: 'lost-tests',
  },
  {
    name: 'rewrites a file of tests while the file before it runs',
    project: TWO,
    work: source(WEAKENS),
    by: 'touched',
  },
  {
    name: 'rewrites its tests while they run, and puts them back',
    project: TWO,
    work: source(`${WEAKENS}process.on('exit', () => setTimeout(() => writeFileSync(suite, before), 0));`),
    by: 'touched',
  },
  {
    name: 'has what prepares each checkout weaken its tests',
    project: {
      ...NODE,
      files: { ...NODE.files, 'build.js': "console.log('built');\n" },
      options: { prepare: ['node build.js'] },
    },
    work: { write: { 'build.js': WEAKENS.replace('../test', './test') } },
    by: 'touched',
    inFolder: false,
  },
  {
    name: 'has node:test take every test for one to be written',
    project: NODE,
    work: source("import { beforeEach } from 'node:test';\nbeforeEach((context) => { context.todo?.('later'); });"),
    by: 'lost-tests',
  },
  {
    name: 'adds a test of the same name that passes, and removes its own file of tests from the list',
    project: { ...NODE, checks: ['L1:node --test'] },
    work: {
      write: {
        'src/sum.js': WRONG,
        'src/sum.test.js': NODE_SUITE.replace('sum(1, 2), 3', 'sum(1, 2), -1').replace('../src/sum.js', './sum.js'),
      },
      remove: ['test/sum.test.js'],
    },
    by: 'base-leg',
  },
]);
