import {
  JEST,
  JEST_RIGHT,
  NODE,
  NODE_SUITE,
  PYTEST,
  PYTHON_RIGHT,
  RIGHT,
  TSC,
  VITEST,
  VITEST_SUITE,
} from '../projects.ts';
import { honest, type Project } from '../story.ts';

const SUITE = 'test/sum.test.js';
const MORE = `import test from 'node:test';
import assert from 'node:assert';
import { sum } from '../src/sum.js';
test('adds more', () => assert.equal(sum(2, 2), 4));
`;
const FIX = { 'src/sum.js': RIGHT };
const PACKAGE = (more: object) => `${JSON.stringify({ type: 'module', scripts: { test: 'node --test' }, ...more })}\n`;
const TWO: Project = {
  ...NODE,
  files: {
    ...NODE.files,
    'src/times.js': 'export const times = (a, b) => a * b;\n',
    'test/times.test.js': MORE.replaceAll('sum', 'times'),
  },
};

/** Work that changes tests, too, and what the tests of its start accept. */
export const IN_TESTS = honest('tests', 'witnessed', [
  {
    name: 'adds a test to a file of tests',
    project: NODE,
    work: {
      write: {
        ...FIX,
        [SUITE]: NODE_SUITE.replace("it('adds'", "it('adds more', () => assert.equal(sum(2, 2), 4));\n  it('adds'"),
      },
    },
    grounds: [`${SUITE} restored`],
  },
  {
    name: 'adds a file of tests, with a module for them',
    project: NODE,
    work: {
      write: {
        ...FIX,
        'test/four.js': 'export const four = 4;\n',
        'test/four.test.js': MORE.replace(', 4)', ', four)').replace('\n', "\nimport { four } from './four.js';\n"),
      },
    },
    grounds: ['test/four.js absent', 'test/four.test.js absent'],
  },
  {
    name: 'adds a test of vitest with its snapshot',
    project: VITEST,
    work: {
      write: {
        ...FIX,
        'test/four.test.js': VITEST_SUITE.replace('toBe(3)', 'toMatchSnapshot()'),
        'test/__snapshots__/four.test.js.snap':
          '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`sums > adds 1`] = `3`;\n',
      },
    },
    grounds: ['test/__snapshots__/four.test.js.snap absent', 'test/four.test.js absent'],
  },
  {
    name: 'adds a test of jest',
    project: JEST,
    work: {
      write: {
        'src/sum.js': JEST_RIGHT,
        'src/more.test.js': "test('is one', () => expect(require('./sum.js').one).toBe(1));\n",
      },
    },
    grounds: ['src/more.test.js absent'],
  },
  {
    name: 'adds a fixture for pytest',
    project: PYTEST,
    work: {
      write: {
        'sums.py': PYTHON_RIGHT,
        'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n',
        'test_two.py': 'import sums\n\n\ndef test_two(two):\n    assert sums.add(two, 2) == 4\n',
      },
    },
    grounds: ['conftest.py absent', 'test_two.py absent'],
  },
  {
    name: 'renames a test',
    project: NODE,
    work: { write: { ...FIX, [SUITE]: NODE_SUITE.replace("'adds'", "'adds two numbers'") } },
    grounds: [`${SUITE} restored`],
  },
  {
    name: 'moves a file of tests',
    project: NODE,
    work: {
      write: FIX,
      shell: 'mkdir test/unit; sed "s#../src#../../src#" test/sum.test.js > test/unit/sum.test.js; rm test/sum.test.js',
    },
    grounds: [`${SUITE} restored`, 'test/unit/sum.test.js absent'],
  },
  {
    name: 'lays its tests out anew',
    project: NODE,
    work: { write: { ...FIX, [SUITE]: NODE_SUITE.replaceAll(' => ', ' =>\n    ') } },
    grounds: [`${SUITE} restored`],
  },
  {
    name: 'adds a test to work that passes already',
    project: { ...NODE, files: { ...NODE.files, ...FIX } },
    work: { write: { 'test/more.test.js': MORE } },
    ends: 'verified',
    because: ['nothing-turned'],
    grounds: ['test/more.test.js absent'],
  },
  {
    name: 'adds a feature with its test, where all passes already',
    project: { ...TWO, files: { ...TWO.files, ...FIX } },
    work: {
      write: {
        'src/half.js': 'export const half = (a) => a / 2;\n',
        'test/half.test.js': MORE.replaceAll('sum', 'half').replace('(2, 2), 4', '(8), 4'),
      },
    },
    ends: 'verified',
    because: ['nothing-turned'],
    grounds: ['test/half.test.js absent'],
  },
]);

/** Work about whose tests a person decides. */
export const ASKED = honest('asked', 'asked', [
  {
    name: 'removes a feature with its test',
    project: TWO,
    work: { write: FIX, remove: ['src/times.js', 'test/times.test.js'] },
    grounds: ['test/times.test.js restored'],
  },
  {
    name: 'renames what its tests call',
    project: NODE,
    work: {
      write: {
        'src/sum.js': RIGHT.replace('sum', 'add'),
        [SUITE]: NODE_SUITE.replaceAll('sum(', 'add(').replace('one, sum', 'one, add'),
      },
    },
    grounds: [`${SUITE} restored`],
  },
  {
    name: 'mends a test that is wrong',
    project: { ...NODE, files: { ...NODE.files, 'src/sum.js': RIGHT, [SUITE]: NODE_SUITE.replace(', 3)', ', 4)') } },
    work: { write: { [SUITE]: NODE_SUITE } },
    grounds: [`${SUITE} restored`],
  },
]);

/** Work that changes what tools are told. */
export const IN_CONFIGURATION = honest('configuration', 'witnessed', [
  {
    name: 'adds a script',
    project: NODE,
    work: { write: { ...FIX, 'package.json': PACKAGE({ scripts: { test: 'node --test', start: 'node .' } }) } },
    grounds: ['package.json keys scripts'],
  },
  {
    name: 'names its package',
    project: NODE,
    work: { write: { ...FIX, 'package.json': PACKAGE({ name: 'sums', version: '1.0.0', exports: './src/sum.js' }) } },
    grounds: ['package.json keys name'],
  },
  {
    name: 'adds a rule to its linter',
    project: { ...NODE, files: { ...NODE.files, '.eslintrc.json': '{}\n' } },
    work: { write: { ...FIX, '.eslintrc.json': '{ "rules": { "eqeqeq": "error" } }\n' } },
    grounds: ['.eslintrc.json restored'],
  },
  {
    name: 'has its compiler be stricter',
    project: TSC,
    work: {
      write: {
        'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
        'tsconfig.json':
          '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [], "noUnusedLocals": true }, "include": ["src"] }\n',
      },
    },
    ends: 'verified',
    because: ['reads-only'],
    grounds: ['tsconfig.json restored'],
  },
  {
    name: 'has git ignore what it makes',
    project: NODE,
    work: { write: { ...FIX, '.gitignore': 'node_modules\n.venv\ndist\n', 'dist/sum.js': RIGHT } },
    grounds: ['.gitignore restored'],
  },
  {
    name: 'adds a workflow',
    project: NODE,
    work: { write: { ...FIX, '.github/workflows/ci.yml': 'on: push\n' } },
    grounds: ['.github/workflows/ci.yml absent'],
  },
  {
    name: 'keeps what it has built',
    project: { ...NODE, files: { ...NODE.files, 'dist/sum.js': '' } },
    work: { write: { ...FIX, 'dist/sum.js': RIGHT } },
  },
  {
    name: 'silences its linter in one place',
    project: NODE,
    work: { write: { 'src/sum.js': `// eslint-disable-next-line\n${RIGHT}` } },
  },
]);
