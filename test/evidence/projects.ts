import type { Files, Project } from './story.ts';

/** What a test calls is wrong, and what would be right. */
export const WRONG = 'export const sum = (a, b) => a - b;\nexport const one = 1;\n';
export const RIGHT = WRONG.replace('a - b', 'a + b');

/** A file of tests, of which one fails on the wrong source and one passes. */
export const suite = (imports: string, adds = 'assert.equal(sum(1, 2), 3)', has = 'assert.equal(one, 1)') => `${imports}
import { one, sum } from '../src/sum.js';
describe('sums', () => {
  it('adds', () => ${adds});
  it('has one', () => ${has});
});
`;

const ASSERT = "import assert from 'node:assert';";
export const NODE_SUITE = suite(`import { describe, it } from 'node:test';\n${ASSERT}`);

const files = (tests: string, more: Files = {}): Files => ({
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/sum.js': WRONG,
  'test/sum.test.js': tests,
  ...more,
});

export const NODE: Project = { files: files(NODE_SUITE), checks: ['L1:node --test'] };
export const NPM: Project = { ...NODE, checks: ['L1:npm test'], needs: 'npm --version' };

/** Starts far quicker than a test runner, and names no test. */
export const SHELL: Project = {
  files: { 'test/check.sh': 'grep -q right src/value\n', 'src/value': 'wrong\n' },
  checks: ['L1:sh test/check.sh'],
};
export const MAKE: Project = {
  files: { Makefile: 'check:\n\tgrep -q right src/value\n', 'src/value': 'wrong\n' },
  checks: ['L1:make check'],
  needs: 'make --version',
};

const { execPath } = process;
export const VITEST_SUITE = suite(
  "import { describe, expect, it } from 'vitest';",
  'expect(sum(1, 2)).toBe(3)',
  'expect(one).toBe(1)',
);
export const VITEST: Project = {
  files: files(VITEST_SUITE),
  packages: ['vitest'],
  // The node that runs this: another one may be too old for the runner.
  checks: [`L1:'${execPath}' node_modules/vitest/vitest.mjs run`],
};

export const JEST_WRONG = 'exports.sum = (a, b) => a - b;\nexports.one = 1;\n';
export const JEST_RIGHT = JEST_WRONG.replace('a - b', 'a + b');
export const JEST_SUITE = `const { one, sum } = require('../src/sum.js');
test('adds', () => expect(sum(1, 2)).toBe(3));
test('has one', () => expect(one).toBe(1));
`;
export const JEST: Project = {
  files: { 'package.json': '{ "private": true }\n', 'src/sum.js': JEST_WRONG, 'test/sum.test.js': JEST_SUITE },
  packages: ['jest'],
  checks: ['L1:node_modules/jest/bin/jest.js'],
  needs: 'test -d node_modules/jest',
};

export const MOCHA_SUITE = suite(ASSERT);
export const MOCHA: Project = {
  files: files(MOCHA_SUITE),
  packages: ['mocha'],
  checks: ['L1:node_modules/mocha/bin/mocha.js'],
  needs: 'test -d node_modules/mocha',
};

export const PYTHON_WRONG = 'def add(a, b):\n    return a - b\n\n\nONE = 1\n';
export const PYTHON_RIGHT = PYTHON_WRONG.replace('a - b', 'a + b');
export const PYTHON_SUITE = `import sums


def test_adds():
    assert sums.add(1, 2) == 3


def test_has_one():
    assert sums.ONE == 1
`;
// The plugins that happen to be installed take twice the time of pytest itself.
export const PYTEST_COMMAND = 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider';
export const PYTEST: Project = {
  files: { 'sums.py': PYTHON_WRONG, 'test_sums.py': PYTHON_SUITE },
  checks: [`L1:${PYTEST_COMMAND}`],
  needs: 'python3 -m pytest --version',
};

/** A compiler only reads the work. */
export const TSC: Project = {
  files: {
    'package.json': '{ "type": "module" }\n',
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "include": ["src"] }\n',
    'src/sum.ts': "export const sum = (a: number, b: number): number => a + b + '';\n",
  },
  packages: ['typescript-native'],
  checks: ['L0:node_modules/typescript-native/bin/tsc'],
};
