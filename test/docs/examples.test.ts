import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { root, run } from '../repository/tool.ts';
import { compile } from './compile.ts';
import { type Example, examplesIn, examplesOf } from './examples.ts';

const programs = examplesOf('ts');
const placeOf = ({ file, line }: Example) => `${file}:${line}`;

test('every page with code is read', () => {
  expect(programs.map(({ file }) => file)).toEqual(expect.arrayContaining(['README.md', 'docs/guides/library.md']));
});

test('a block is found with its place, its language and what it prints', () => {
  const page = '# A\n\n```ts\nlet a;\n```\n\n```text\n1\n```\n\nWords\n\n```text\n2\n```\n';
  expect(examplesIn('a.md', page).map(({ line, language, prints }) => [line, language, prints])).toEqual([
    [3, 'ts', '1\n'],
    [7, 'text', null],
    [13, 'text', null],
  ]);
});

test('every example passes the compiler as strictly as our sources do, and what is not there is caught', () => {
  const wrong = ['docs/wrong.ts', "import { memoryLogg } from 'loopfold';\nmemoryLogg();\n"] as const;
  const sources = programs.map((example) => [`${placeOf(example).replace(':', '.')}.ts`, example.code] as const);
  expect(compile(new Map([...sources, wrong]))).toEqual([expect.stringMatching(/^docs\/wrong\.ts:1: .*memoryLogg/)]);
});

test.each(programs.map((example) => [placeOf(example), example] as const))('%s runs', (_place, { code, prints }) => {
  const { status, output } = inFreshRepository(code);
  expect(output).toBe(status === 0 ? (prints ?? output) : 'a program that ends well');
});

// The same sources in every program: what Node makes of them is kept for the next one.
const compiled = mkdtempSync(join(tmpdir(), 'loopfold-docs-compiled-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

/** Runs a program as a stranger would who has installed the package, in a git repository without files. */
function inFreshRepository(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, 'loopfold'), { recursive: true });
  const face = JSON.stringify(pathToFileURL(join(root, 'src/index.ts')).href);
  writeFileSync(join(packages, 'loopfold', 'package.json'), '{ "type": "module", "exports": "./index.js" }\n');
  writeFileSync(join(packages, 'loopfold', 'index.js'), `export * from ${face};\n`);
  for (const name of ['zod', 'rxjs']) symlinkSync(join(root, 'node_modules', name), join(packages, name));
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  writeFileSync(join(folder, 'example.mts'), code);
  run('git', ['init', '--quiet'], folder);
  return run(process.execPath, ['example.mts'], folder, { ...process.env, NODE_COMPILE_CACHE: compiled });
}
