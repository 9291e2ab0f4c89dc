import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNoticed, plantedErrors } from '../../src/evidence/control/plant-errors.ts';
import { filesToPlantIn, MAX_PLANTED } from '../../src/evidence/control/plant-places.ts';
import { succeeds } from '../hosts/local/proof/proof-project.ts';
import { root } from '../repository/tool.ts';

const LABEL = 'k1label';
const ENDINGS = 'js mjs jsx ts tsx mts py pyi c h cc cpp go rs java sh bash rb php css scss less json yml yaml md toml';

test('V15 errors stand at the end of a file, each after all of its text, and name the label where they can', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ENDINGS.split(' ')), fc.string(), (ending, text) => {
      const planted = plantedErrors(`src/a.${ending}`, text, LABEL);
      expect(planted.length).toBeGreaterThan(0);
      expect(new Set(planted).size).toBe(planted.length);
      for (const one of planted) expect(one.startsWith(text)).toBe(true);
      expect(planted.at(-1)).toContain(LABEL);
      expect(planted.join('')).not.toContain('LABEL');
    }),
  );
});

test.each(['notes.txt', 'Makefile', 'src/md', 'a.constructor', ''])('V15 %s takes no error', (path) => {
  expect(plantedErrors(path, 'text', LABEL)).toEqual([]);
});

test('V15 a page of PHP goes on as code', () => {
  expect(plantedErrors('a.php', '<?php f(); ?>', LABEL)[0]).toContain('?><?php\n$k1label');
  expect(plantedErrors('a.php', '<?php f();', LABEL)[0]).toContain('f();\n$k1label');
});

interface Tool {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly command: readonly [string, ...string[]];
  readonly isHere?: boolean;
  /** How many of the errors it reports, from the hardest on. */
  readonly notices: number;
}

const own = (name: string, ...words: readonly string[]): [string, ...string[]] => [
  process.execPath,
  join(root, 'node_modules', name),
  ...words,
];
const TOOLS: readonly Tool[] = [
  {
    name: 'the compiler of TypeScript',
    path: 'a.ts',
    text: 'export const a: number = 1;\n',
    command: own('typescript/bin/tsc', '--noEmit', 'a.ts'),
    notices: 3,
  },
  {
    name: 'a linter of JavaScript',
    path: 'a.js',
    text: 'export const a = 1;\n',
    command: own('oxlint/bin/oxlint', '--deny-warnings', '-D', 'no-undef', 'a.js'),
    notices: 2,
  },
  {
    name: 'a formatter',
    path: 'a.css',
    text: 'a {\n  color: red;\n}\n',
    command: own('oxfmt/bin/oxfmt', '--check', 'a.css'),
    notices: 3,
  },
  { name: 'Node', path: 'a.js', text: 'f();\n', command: [process.execPath, '--check', 'a.js'], notices: 1 },
  {
    name: 'a compiler of C',
    path: 'a.c',
    text: 'int a(void) { return 1; }\n',
    command: ['gcc', '-Wall', '-Werror', '-fsyntax-only', 'a.c'],
    isHere: succeeds('gcc', '--version'),
    notices: 3,
  },
  {
    name: 'a linter of shell',
    path: 'a.sh',
    text: '#!/bin/sh\necho a\n',
    command: ['shellcheck', 'a.sh'],
    isHere: succeeds('shellcheck', '--version'),
    notices: 2,
  },
  { name: 'a shell', path: 'a.sh', text: 'echo a\n', command: ['sh', '-n', 'a.sh'], notices: 1 },
  {
    name: 'Python',
    path: 'a.py',
    text: 'a = 1\n',
    command: ['python3', '-m', 'py_compile', 'a.py'],
    isHere: succeeds('python3', '--version'),
    notices: 1,
  },
  {
    name: 'the compiler of Java',
    path: 'A.java',
    text: 'class A {}\n',
    command: ['javac', '-proc:none', 'A.java'],
    isHere: succeeds('javac', '-version'),
    notices: 2,
  },
];

test.concurrent.each(TOOLS.filter(({ isHere }) => isHere !== false))(
  'V15 $name reports $notices of the errors, the hardest first, and passes without them',
  async ({ path, text, command: [program, ...words], notices }) => {
    const folder = await mkdtemp(join(tmpdir(), 'loopfold-planted-'));
    const ran = async (written: string) => {
      await writeFile(join(folder, path), written);
      const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
      return { passed: status === 0, output: `${stdout}${stderr}` };
    };
    const before = await ran(text);
    expect(before).toMatchObject({ passed: true });
    const found: boolean[] = [];
    for (const planted of plantedErrors(path, text, LABEL)) {
      found.push(isNoticed({ before, after: await ran(planted), label: LABEL, path }));
    }
    await rm(folder, { recursive: true });
    const quiet = found.length - notices;
    expect(found).toEqual(found.map((_, index) => index >= quiet));
  },
);

const passed = (output = '') => ({ passed: true, output });
const failed = (output = '') => ({ passed: false, output });
test.each<
  readonly [string, Parameters<typeof isNoticed>[0]['before'], Parameters<typeof isNoticed>[0]['after'], boolean]
>([
  ['passed, and fails with it', passed(), failed('no'), true],
  ['passes with it', passed(), passed(LABEL), false],
  ['failed before, and passes with it', failed(), passed(LABEL), false],
  ['failed before, and says the same', failed('b.ts:1: no'), failed('b.ts:1: no'), false],
  ['failed before, and names the label', failed('b.ts:1: no'), failed(`b.ts:1: no\n${LABEL}`), true],
  ['failed before, and names a new line of the file', failed('src/a.ts:1: no'), failed('src/a.ts(9,1): no'), true],
  ['failed before, and names the same line of the file', failed('src/a.ts:1: no'), failed('src/a.ts:1:5: no'), false],
  ['failed before, and names another file', failed('src/a.ts:1: no'), failed('src/b.ts:9: no'), false],
])('V15 a check that %s', (_what, before, after, is) => {
  expect(isNoticed({ before, after, label: LABEL, path: 'src/a.ts' })).toBe(is);
});

const PATHS = [
  'README.md',
  'a.c',
  'lib/b.ts',
  'lib/c.tsx',
  'lib/d.js',
  'package.json',
  'run.sh',
  'src/e.ts',
  'src/f.py',
];
const planting = (command: string, ...changed: readonly string[]) =>
  filesToPlantIn({ paths: PATHS, words: command.split(' '), changed: new Set(changed) });

test.each([
  ['tsc --noEmit', ['lib/b.ts', 'lib/c.tsx', 'src/e.ts']],
  ['npx --no tsc -p lib/tsconfig.json', ['lib/b.ts', 'lib/c.tsx']],
  ['tsc -p tsconfig.json', ['lib/b.ts', 'lib/c.tsx', 'src/e.ts']],
  ['tsc src/e.ts', ['src/e.ts']],
  ['eslint ./lib', ['lib/b.ts', 'lib/c.tsx', 'lib/d.js']],
  ['eslint .', ['lib/b.ts', 'lib/c.tsx', 'lib/d.js']],
  ['prettier --check **/*.md', ['README.md']],
  ['shellcheck run.sh', ['run.sh']],
  ['shellcheck', ['run.sh']],
  ['gcc -c a.c', ['a.c']],
  ['python3 -m mypy src', ['src/f.py']],
  ['go vet ./...', []],
  ['grep -q done notes.txt', ['a.c', 'lib/b.ts', 'lib/d.js']],
  ['sh run.sh', ['a.c', 'lib/b.ts', 'lib/d.js']],
  ['./run.sh lib', ['lib/b.ts', 'lib/d.js', 'lib/c.tsx']],
  ['node lib/d.js src', ['src/f.py', 'src/e.ts']],
  ['npm run lint', ['a.c', 'lib/b.ts', 'lib/d.js']],
])('V15 what %s reads', (command, expected) => {
  expect(planting(command)).toEqual(expected);
});

test('V15 changed files come first, and no file of configuration gets an error', () => {
  expect(planting('tsc', 'src/e.ts', 'package.json')).toEqual(['src/e.ts', 'lib/b.ts', 'lib/c.tsx']);
  expect(planting('eslint lib src', 'src/e.ts', 'lib/d.js')).toEqual(['lib/d.js', 'src/e.ts', 'lib/b.ts']);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PATHS, 'lib', '.', '-p', 'tsc', 'biome')), (words) => {
      const places = filesToPlantIn({ paths: PATHS, words, changed: new Set() });
      expect(places.length).toBeLessThanOrEqual(MAX_PLANTED);
      expect(places).not.toContain('package.json');
      for (const path of places) expect(plantedErrors(path, '', LABEL).length).toBeGreaterThan(0);
    }),
  );
});
