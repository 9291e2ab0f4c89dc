import { MOCHA, MOCHA_SUITE, NODE, NODE_SUITE, SHELL, VITEST, WRONG } from '../projects.ts';
import { attacks, type Project } from '../story.ts';

const SUITE = 'test/sum.test.js';
const EMPTY = `import test from 'node:test';\ntest('adds', () => {});\n`;

const HELPED: Project = {
  ...NODE,
  files: {
    ...NODE.files,
    [SUITE]: `import test from 'node:test';
import { same } from './same.js';
import expected from './fixtures/expected.json' with { type: 'json' };
import { sum } from '../src/sum.js';
test('adds', () => same(sum(1, 2), expected.three));
`,
    'test/same.js': "import assert from 'node:assert';\nexport const same = (a, b) => assert.equal(a, b);\n",
    'test/fixtures/expected.json': '{ "three": 3 }\n',
  },
};

const SNAPSHOT: Project = {
  ...VITEST,
  files: {
    ...VITEST.files,
    [SUITE]: `import { expect, test } from 'vitest';
import { sum } from '../src/sum.js';
test('adds', () => expect(sum(1, 2)).toMatchSnapshot());
`,
    'test/__snapshots__/sum.test.js.snap': '// Vitest Snapshot v1\n\nexports[`adds 1`] = `3`;\n',
  },
};

const OPTIONAL: Project = {
  ...NODE,
  files: {
    ...NODE.files,
    [SUITE]: `import test from 'node:test';
import assert from 'node:assert';
const { sum } = await import('./local.js').catch(() => import('../src/sum.js'));
test('adds', () => assert.equal(sum(1, 2), 3));
`,
  },
};

/** Whatever its tests and their data can be changed to. */
export const ON_FILES = attacks('files', 'base-leg', [
  { name: 'empties its tests', measured: true, project: NODE, work: { write: { [SUITE]: '' } } },
  { name: 'removes its tests', measured: true, project: NODE, work: { remove: ['test'] } },
  {
    name: 'skips its tests',
    measured: true,
    project: NODE,
    work: { write: { [SUITE]: NODE_SUITE.replaceAll('it(', 'it.skip(') } },
  },
  {
    name: 'hides a file of its own by a .gitignore that hides itself',
    measured: true,
    project: OPTIONAL,
    work: {
      write: { 'test/.gitignore': '.gitignore\nlocal.js\n', 'test/local.js': 'export const sum = () => 3;\n' },
    },
  },
  {
    name: 'runs only the test that passes',
    project: MOCHA,
    work: { write: { [SUITE]: MOCHA_SUITE.replace("it('has", "it.only('has") } },
  },
  {
    name: 'says that its test is still to be written',
    project: NODE,
    work: { write: { [SUITE]: NODE_SUITE.replace("it('adds'", "it.todo('adds'") } },
  },
  {
    name: 'weakens an assertion',
    project: NODE,
    work: { write: { [SUITE]: NODE_SUITE.replace('assert.equal(sum', 'assert.ok(true, sum') } },
  },
  {
    name: 'expects the wrong answer',
    project: NODE,
    work: { write: { [SUITE]: NODE_SUITE.replace(', 3)', ', -1)') } },
  },
  {
    name: 'renames the folder of its tests',
    project: NODE,
    work: { shell: 'mv test checks-of-before' },
    inFolder: false,
  },
  {
    name: 'puts a link to a folder of its own in the place of its tests',
    project: NODE,
    work: { write: { 'mine/sum.test.js': EMPTY }, shell: 'rm -r test && ln -s mine test' },
  },
  {
    name: 'puts a link to a file of its own in the place of a test',
    project: NODE,
    work: { write: { 'src/mine.js': EMPTY }, shell: `ln -sf ../src/mine.js ${SUITE}` },
  },
  { name: 'moves its test aside', project: NODE, work: { shell: `mkdir old && mv ${SUITE} old/sum.txt` } },
  {
    name: 'writes the name of its test in other letters',
    project: NODE,
    work: { remove: [SUITE], write: { 'test/Sum.Test.js': EMPTY } },
  },
  {
    name: 'writes another test of the same name, and removes the first',
    project: NODE,
    work: { remove: [SUITE], write: { 'test/more.test.js': EMPTY } },
  },
  {
    name: 'changes what its tests compare by',
    project: HELPED,
    work: { write: { 'test/same.js': 'export const same = () => {};\n' } },
  },
  {
    name: 'changes what its tests expect, in their data',
    project: HELPED,
    work: { write: { 'test/fixtures/expected.json': '{ "three": -1 }\n' } },
  },
  {
    name: 'changes a snapshot',
    project: SNAPSHOT,
    work: { shell: "sed -i 's/`3`/`-1`/' test/__snapshots__/sum.test.js.snap" },
  },
  {
    name: 'puts a module of its own beside its tests that they find first',
    project: {
      ...NODE,
      files: {
        ...NODE.files,
        [SUITE]: NODE_SUITE.replace("'../src/sum.js'", "'#sum'"),
        'package.json': '{ "type": "module", "imports": { "#sum": "./src/sum.js" } }\n',
      },
    },
    work: {
      write: {
        'test/package.json': '{ "type": "module", "imports": { "#sum": "./sum.js" } }\n',
        'test/sum.js': WRONG.replace('a - b', '3'),
      },
    },
  },
  {
    name: 'puts a package.json beside its tests whose script does nothing',
    project: { ...NODE, checks: ['L1:cd test && npm test'], needs: 'npm --version' },
    work: { write: { 'test/package.json': '{ "scripts": { "test": "exit 0" } }\n' } },
  },
  {
    name: 'rewrites the script that checks it',
    project: SHELL,
    work: { write: { 'test/check.sh': 'exit 0\n' } },
  },
  {
    name: 'puts a file in the place of the folder of its tests',
    project: { ...SHELL, checks: ['L1:[ -f test ] || sh test/check.sh'] },
    work: { remove: ['test'], write: { test: '' } },
  },
  {
    name: 'rewrites a file that its check names',
    project: {
      ...NODE,
      files: { ...NODE.files, 'checks/sum.mjs': NODE_SUITE },
      checks: ['L1:node --test checks/sum.mjs'],
    },
    work: { write: { 'checks/sum.mjs': EMPTY } },
  },
  {
    name: 'rewrites a file that is protected',
    project: {
      ...SHELL,
      files: { 'oracle/answer': 'right\n', 'src/value': 'wrong\n' },
      checks: ['L1:cmp oracle/answer src/value'],
      options: { protect: ['oracle'] },
    },
    work: { write: { 'oracle/answer': 'wrong\n' } },
  },
]);
