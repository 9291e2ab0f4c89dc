import { JEST, JEST_RIGHT, MOCHA, NODE, NPM, PYTEST, PYTHON_RIGHT, RIGHT, TSC, VITEST } from '../projects.ts';
import { type Files, honest, type HonestChange, type Project } from '../story.ts';

const green = (project: Project, files: Files): Project => ({ ...project, files: { ...project.files, ...files } });
const PACKAGE = (scripts: Files) => `${JSON.stringify({ type: 'module', scripts })}\n`;

const SOURCE = { 'src/sum.js': RIGHT };
/** The same, written otherwise. */
const REFACTORED = {
  'src/sum.js': `export function sum(first, second) {
  return first + second;
}

export const one = 1;
`,
};
const TYPED = 'export const sum = (a: number, b: number): number => a + b;\nexport const one = 1;\n';
const TYPES = {
  'package.json': '{ "type": "module" }\n',
  'src/sum.ts': TYPED,
  'tsconfig.json': `{
  "compilerOptions": { "strict": true, "noEmit": true, "types": [], "module": "nodenext", "allowImportingTsExtensions": true },
  "include": ["src", "test"]
}
`,
};
const RETYPED = {
  'src/sum.ts':
    'type Adds = (a: number, b: number) => number;\nexport const sum: Adds = (a, b) => a + b;\nexport const one = 1;\n',
};
/** A compiler, and then the tests that it compiles, too. */
export const COMPILED: Project = {
  ...TSC,
  files: {
    ...TYPES,
    'test/modules.d.ts': "declare module 'node:test';\ndeclare module 'node:assert';\n",
    'test/sum.test.ts': `import test from 'node:test';
import assert from 'node:assert';
import { one, sum } from '../src/sum.ts';
test('adds', () => assert.equal(sum(1, 2), 3));
test('has one', () => assert.equal(one, 1));
`,
  },
  checks: [`L1:node_modules/typescript-native/bin/tsc && node --test`],
};
const C = 'int sum(int a, int b)\n{\n  return a + b;\n}\n';
const RUST: Project = {
  files: {
    '.gitignore': 'target\n',
    'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': 'pub fn sum(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
    'tests/sums.rs': '#[test]\nfn adds() {\n    assert_eq!(sums::sum(1, 2), 3);\n}\n',
  },
  checks: ['L1:cargo test --offline'],
  needs: 'HOME=/nonexistent cargo --version',
};
const LINTER = `import { readdirSync, readFileSync } from 'node:fs';
const found = readdirSync('src').filter((name) => /\\bvar\\b/.test(readFileSync('src/' + name, 'utf8')));
console.log(found.join('\\n'));
process.exitCode = found.length === 0 ? 0 : 1;
`;

/** Work that leaves all as it does: its checks passed before. */
export const REFACTORINGS: readonly HonestChange[] = honest('refactoring', 'verified', [
  { name: 'writes a source otherwise', project: green(NODE, SOURCE), work: { write: REFACTORED } },
  { name: 'writes a source otherwise, with vitest', project: green(VITEST, SOURCE), work: { write: REFACTORED } },
  { name: 'writes a source otherwise, with mocha', project: green(MOCHA, SOURCE), work: { write: REFACTORED } },
  {
    name: 'writes a source otherwise, with jest',
    project: green(JEST, { 'src/sum.js': JEST_RIGHT }),
    work: { write: { 'src/sum.js': 'exports.sum = function sum(a, b) {\n  return a + b;\n};\nexports.one = 1;\n' } },
  },
  {
    name: 'writes a source otherwise, with pytest',
    project: green(PYTEST, { 'sums.py': PYTHON_RIGHT }),
    work: { write: { 'sums.py': 'ONE = 1\n\n\ndef add(first, second):\n    return first + second\n' } },
  },
  {
    name: 'writes a source otherwise, with cargo',
    project: RUST,
    work: { write: { 'src/lib.rs': 'pub fn sum(first: i32, second: i32) -> i32 {\n    first + second\n}\n' } },
  },
  { name: 'writes a type otherwise', project: { ...TSC, files: TYPES }, work: { write: RETYPED } },
  { name: 'writes a type otherwise, with a compiler before its tests', project: COMPILED, work: { write: RETYPED } },
  {
    name: 'moves a function into a module, with a compiler before its tests',
    project: COMPILED,
    work: {
      write: {
        'src/add.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
        'src/sum.ts': "export { sum } from './add.ts';\nexport const one = 1;\n",
      },
    },
  },
  {
    name: 'writes a source otherwise, with a script that lints and tests',
    project: green(NPM, {
      ...SOURCE,
      'package.json': PACKAGE({ lint: 'node --check src/sum.js', test: 'npm run lint && node --test' }),
    }),
    work: { write: REFACTORED },
  },
  {
    name: 'writes a source otherwise, with a script before its tests and one behind',
    project: green(NPM, {
      ...SOURCE,
      'package.json': PACKAGE({
        pretest: 'node --check src/sum.js',
        test: 'node --test',
        posttest: 'node --check src/sum.js',
      }),
    }),
    work: { write: REFACTORED },
  },
  {
    name: 'writes a source otherwise, with oxlint',
    project: { ...green(NODE, SOURCE), packages: ['oxlint'], checks: ['L0:node_modules/oxlint/bin/oxlint src'] },
    work: { write: REFACTORED },
  },
  {
    name: 'writes a source otherwise, with a linter of its own',
    project: {
      ...green(NODE, { ...SOURCE, 'tools/lint.js': LINTER }),
      checks: [{ command: 'node tools/lint.js', reads: true }],
    },
    work: { write: REFACTORED },
  },
  {
    name: 'writes a source of C otherwise',
    project: {
      files: { 'src/sum.c': C },
      checks: ['L0:gcc -Wall -Werror -fsyntax-only src/sum.c'],
      needs: 'gcc --version',
    },
    work: { write: { 'src/sum.c': C.replaceAll(/\ba\b/g, 'first') } },
  },
  {
    name: 'writes a script of the shell otherwise',
    project: {
      files: { 'src/run.sh': '#!/bin/sh\nset -e\nrm -r "$1"\n' },
      checks: ['L0:shellcheck src/run.sh'],
      needs: 'shellcheck --version',
    },
    work: { write: { 'src/run.sh': '#!/bin/sh\nset -e\nrm -r -- "$1"\n' } },
  },
  {
    name: 'writes a source otherwise, with a recipe for each of its checks',
    project: {
      ...green(NODE, {
        ...SOURCE,
        Makefile: '.PHONY: check lint test\ncheck: lint test\nlint:\n\tnode --check src/sum.js\ntest:\n\tnode --test\n',
      }),
      checks: ['L1:make check'],
      needs: 'make --version',
    },
    work: { write: REFACTORED },
  },
  {
    name: 'writes a source otherwise that only a search looks at',
    project: { ...green(NODE, SOURCE), checks: ['L0:grep -q sum src/sum.js'] },
    work: { write: REFACTORED },
    enough: false,
  },
]).map((story) => ({ because: ['nothing-turned'], ...story }));
