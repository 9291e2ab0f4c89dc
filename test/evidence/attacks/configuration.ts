import {
  JEST,
  JEST_SUITE,
  MAKE,
  MOCHA,
  NODE,
  NPM,
  PYTEST,
  PYTEST_COMMAND,
  SHELL,
  TSC,
  VITEST,
  WRONG,
} from '../projects.ts';
import { attacks, type Project } from '../story.ts';

const PACKAGE = (more: object) => `${JSON.stringify({ type: 'module', ...more })}\n`;
const NOTHING = { scripts: { test: 'exit 0' } };

/** A library of assertions that no control knows. */
const EXPECTATIONS: Project = {
  ...NODE,
  files: {
    ...NODE.files,
    'test/sum.test.js': `import test from 'node:test';
import { same } from 'expectations';
import { sum } from '../src/sum.js';
test('adds', () => same(sum(1, 2), 3));
`,
  },
  installed: {
    'node_modules/expectations/package.json': PACKAGE({ name: 'expectations', exports: './index.js' }),
    'node_modules/expectations/index.js':
      "export const same = (a, b) => {\n  if (a !== b) throw new Error('not the same');\n};\n",
  },
};

/** What its runner, its compiler and its tools are told in files. */
export const ON_CONFIGURATION = attacks('configuration', 'base-leg', [
  {
    name: 'makes the script of its tests do nothing',
    measured: true,
    project: NPM,
    work: { write: { 'package.json': PACKAGE(NOTHING) } },
  },
  {
    name: 'gives npm a shell that does nothing',
    measured: true,
    project: NPM,
    work: { write: { '.npmrc': 'script-shell=./sh\n', sh: '#!/bin/sh\n' }, shell: 'chmod +x sh' },
  },
  {
    name: 'rewrites its tests before each run of them',
    project: NPM,
    work: {
      write: { 'package.json': PACKAGE({ scripts: { pretest: 'echo > test/sum.test.js', test: 'node --test' } }) },
    },
  },
  {
    name: 'writes checks into the configuration of the next run',
    measured: true,
    project: NODE,
    work: { write: { 'loopfold.config.json': '{ "checks": ["L1:true"] }\n' } },
    inFolder: false,
  },
  {
    name: 'leaves its tests out by a configuration of vitest',
    project: VITEST,
    work: {
      write: { 'vitest.config.js': "export default { test: { exclude: ['**'], passWithNoTests: true } };\n" },
    },
  },
  {
    name: 'loads a module of its own before the tests of vitest',
    project: VITEST,
    work: {
      write: {
        'vitest.config.js': "export default { test: { setupFiles: './src/setup.js' } };\n",
        'src/setup.js': 'Object.is = () => true;\n',
      },
    },
  },
  {
    name: 'gives vitest a reporter that ends the process',
    project: VITEST,
    work: {
      write: {
        'vite.config.js': "export default { test: { reporters: ['./src/quiet.js'] } };\n",
        'src/quiet.js': 'export default class { onInit() { process.exit(0); } }\n',
      },
    },
  },
  {
    name: 'gives jest a pattern that fits another test alone',
    project: JEST,
    work: {
      write: {
        'package.json': '{ "private": true, "jest": { "testMatch": ["**/mine.js"] } }\n',
        'src/mine.js': "test('adds', () => {});\n",
      },
    },
  },
  {
    name: 'loads a module of its own before the tests of jest',
    project: JEST,
    work: {
      write: {
        'jest.config.js': "module.exports = { setupFilesAfterEnv: ['./src/setup.js'] };\n",
        'src/setup.js': 'globalThis.expect = () => ({ toBe() {} });\n',
      },
    },
  },
  {
    name: 'compiles its tests to others for jest',
    project: JEST,
    work: {
      write: {
        'jest.config.js': "module.exports = { transform: { 'test.js$': './src/other.js' } };\n",
        'src/other.js': `exports.process = () => ({ code: ${JSON.stringify(JEST_SUITE.replace(', 2', ', -2'))} });\n`,
      },
    },
  },
  {
    name: 'has mocha leave out the test that fails',
    project: MOCHA,
    work: { write: { '.mocharc.json': '{ "grep": "has one" }\n' } },
  },
  {
    name: 'adds a conftest that hides failures',
    project: PYTEST,
    work: {
      write: { 'conftest.py': 'def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n' },
    },
  },
  {
    name: 'adds a conftest that makes each report a good one',
    project: PYTEST,
    work: {
      write: {
        'conftest.py': `import pytest


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport():
    made = yield
    made.get_result().outcome = 'passed'
`,
      },
    },
  },
  {
    name: 'has pytest leave out the test that fails, by pytest.ini',
    project: PYTEST,
    work: { write: { 'pytest.ini': '[pytest]\naddopts = -k has_one\n' } },
  },
  {
    name: 'has pytest leave out the test that fails, by pyproject.toml',
    project: PYTEST,
    work: { write: { 'pyproject.toml': "[tool.pytest.ini_options]\naddopts = '-k has_one'\n" } },
  },
  {
    name: 'puts a sitecustomize.py where Python looks first',
    project: { ...PYTEST, checks: [`L1:PYTHONPATH=. ${PYTEST_COMMAND}`] },
    work: { write: { 'sitecustomize.py': 'import os\nos._exit(0)\n' } },
  },
  {
    name: 'puts a module in the place of pytest',
    project: PYTEST,
    work: { write: { 'pytest.py': "print('2 passed')\n" } },
    by: 'no-report',
  },
  {
    name: 'puts a module in the place of a part of Python that pytest loads',
    project: PYTEST,
    work: { write: { 'argparse.py': 'import os\nos._exit(0)\n' } },
    by: 'no-report',
  },
  {
    name: 'makes its compiler lenient',
    project: TSC,
    work: {
      write: {
        'tsconfig.json': '{ "compilerOptions": { "noEmit": true }, "include": ["docs"] }\n',
        'docs/a.ts': 'export {};\n',
      },
    },
  },
  {
    name: 'tells its compiler to leave a file alone',
    project: TSC,
    work: { shell: "sed -i '1i // @ts-nocheck' src/sum.ts" },
    by: 'control',
  },
  {
    name: 'rewrites the recipe of its check',
    project: MAKE,
    work: { write: { Makefile: 'check:\n\ttrue\n' } },
  },
  {
    name: 'adds a file of recipes that make prefers',
    project: MAKE,
    work: { write: { GNUmakefile: 'check:\n\ttrue\n' } },
  },
  {
    name: 'is named like the library that its tests assert by',
    project: EXPECTATIONS,
    work: {
      write: {
        'package.json': PACKAGE({ name: 'expectations', exports: './src/same.js' }),
        'src/same.js': 'export const same = () => {};\n',
      },
    },
  },
  {
    name: 'has tests and sources found elsewhere, by a package.json among its sources',
    project: {
      ...EXPECTATIONS,
      files: {
        'src/sum.js': WRONG,
        'src/sum.test.js': EXPECTATIONS.files['test/sum.test.js']?.replace('../src', '.') ?? '',
      },
    },
    work: {
      write: {
        'src/package.json': PACKAGE({ name: 'expectations', exports: './same.js' }),
        'src/same.js': 'export const same = () => {};\n',
      },
    },
  },
  {
    name: 'rewrites what its check reads its rules from',
    project: {
      ...SHELL,
      files: { ...SHELL.files, 'rules.txt': 'right\n' },
      checks: ['L1:grep -q -f rules.txt src/value'],
    },
    work: { write: { 'rules.txt': 'wrong\n' } },
  },
]);
