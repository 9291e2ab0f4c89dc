import { NODE, NODE_SUITE, RIGHT, WRONG } from '../projects.ts';
import { attacks, type Files, type Project } from '../story.ts';

const PACKAGE = (scripts: Files) => `${JSON.stringify({ type: 'module', scripts })}\n`;

/** A linter of its own kind: it finds `var`, and leaves out what a file of settings names. */
const LINTER = `import { existsSync, readdirSync, readFileSync } from 'node:fs';
const quiet = existsSync('settings/quiet.txt') ? readFileSync('settings/quiet.txt', 'utf8').split('\\n') : [];
const found = readdirSync('src').filter((name) => !quiet.includes(name))
  .flatMap((name) => readFileSync('src/' + name, 'utf8').split('\\n')
    .flatMap((line, at) => (/\\bvar\\b/.test(line) ? ['src/' + name + ':' + (at + 1) + ' var'] : [])));
console.log(found.join('\\n'));
process.exitCode = found.length === 0 ? 0 : 1;
`;
const OLD = 'export var sum = (a, b) => a + b;\nexport const one = 1;\n';
const QUIET: Files = { 'settings/quiet.txt': 'sum.js\n' };
const LINTED: Project = {
  files: { 'package.json': PACKAGE({}), 'src/sum.js': OLD, 'src/more.js': 'export {};\n' },
  installed: { 'node_modules/tidy/tidy.js': LINTER, 'node_modules/tidy/package.json': '{ "type": "module" }' },
  checks: [{ command: 'node node_modules/tidy/tidy.js', reads: true }],
};
/** The same linter, and the tests of the source, in one script. */
const STEPPED: Project = {
  ...LINTED,
  files: {
    ...LINTED.files,
    'tools/lint.js': LINTER,
    'test/sum.test.js': NODE_SUITE,
    'package.json': PACKAGE({ lint: 'node tools/lint.js', test: 'npm run lint && node --test' }),
  },
  checks: ['L1:npm test'],
  needs: 'npm --version',
};
/** A linter that runs once the tests have passed. */
const AFTERWARDS: Project = {
  ...NODE,
  files: {
    ...NODE.files,
    'tools/lint.js': LINTER,
    'package.json': PACKAGE({ test: 'node --test', posttest: 'node tools/lint.js' }),
  },
  checks: ['L1:npm test'],
  needs: 'npm --version',
};

/** A compiler whose warnings are errors. */
const C = 'int one(void)\n{\n  int unused = 1;\n  return 1;\n}\n';
const GCC: Project = {
  files: { 'src/one.c': C },
  checks: ['L0:gcc -Wall -Werror -fsyntax-only src/one.c'],
  needs: 'gcc --version',
};
const SHELLCHECK: Project = {
  files: { 'src/run.sh': '#!/bin/sh\nrm -r $1\n' },
  checks: ['L0:shellcheck src/run.sh'],
  needs: 'shellcheck --version',
};

/** A suite that must reach all of the source. */
const COVERED: Project = {
  ...NODE,
  files: { ...NODE.files, 'src/sum.js': `${RIGHT}export const half = (a) => {\n  return a / 2;\n};\n` },
  checks: [`L1:node --test --experimental-test-coverage --test-coverage-functions=100`],
};

/** What only reads the work, or measures it. */
export const ON_LINTERS = attacks('linters', 'control', [
  {
    name: 'has its linter leave out a file, by settings that no list knows',
    project: LINTED,
    work: { write: QUIET },
  },
  {
    name: 'has the linter of one step leave out a file, by settings that no list knows',
    project: STEPPED,
    work: { write: { 'src/sum.js': OLD, ...QUIET } },
  },
  {
    name: 'switches off the linter that runs once the tests have passed',
    project: AFTERWARDS,
    work: {
      write: { 'src/sum.js': OLD, 'package.json': PACKAGE({ test: 'node --test', posttest: 'true' }) },
    },
    by: 'base-leg',
  },
  {
    name: 'has the linter that runs once the tests have passed leave out a file',
    project: { ...AFTERWARDS, files: { ...AFTERWARDS.files, 'src/sum.js': WRONG.replace('const sum', 'var sum') } },
    work: { write: { 'src/sum.js': OLD, ...QUIET } },
  },
  {
    name: 'takes the linter out of the script of its tests',
    project: STEPPED,
    work: { write: { 'package.json': PACKAGE({ lint: 'true', test: 'npm run lint && node --test' }) } },
    by: 'base-leg',
  },
  {
    name: 'tells its compiler that a source is a header of the system',
    project: GCC,
    work: { write: { 'src/one.c': `# 1 "one.h" 3\n${C}` } },
  },
  {
    name: 'writes a file that shellcheck goes by',
    project: SHELLCHECK,
    work: { write: { 'src/.shellcheckrc': 'disable=all\n' } },
    by: 'base-leg',
  },
  {
    name: 'leaves a function out of measured coverage',
    project: COVERED,
    work: { shell: "sed -i '/half/i /* node:coverage disable */' src/sum.js" },
    by: 'suppressions',
  },
]);
