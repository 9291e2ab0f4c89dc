import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOf } from '../support/tenth.ts';
import { compile } from './compile.ts';
import { type Example, examplesIn, examplesOf } from './examples.ts';
import { inFreshRepository } from './fresh-repository.ts';

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

testInTurn('every example passes the compiler as strictly as our sources do, and what is not there is caught', () => {
  const wrong = ['docs/wrong.ts', "import { memoryLogg } from 'loopfold';\nmemoryLogg();\n"] as const;
  const sources = programs.map((example) => [`${placeOf(example).replace(':', '.')}.ts`, example.code] as const);
  const path = 'docs/examples/embedding/deployment.ts';
  const deployment = [path, readFileSync(join(root, path), 'utf8')] as const;
  expect(compile(new Map([...sources, deployment, wrong]))).toEqual([
    expect.stringMatching(/^docs\/wrong\.ts:1: .*memoryLogg/),
  ]);
});

/** The first page is what strangers try: its programs run each time, those of the guides by tenths. */
const [ofReadme = [], ofGuides = []] = [true, false].map((isReadme) =>
  programs.filter(({ file }) => (file === 'README.md') === isReadme),
);
const drawn = [...ofReadme, ...tenthOf(ofGuides)];

testInTurn.each(drawn.map((example) => [placeOf(example), example] as const))('%s runs', (_place, { code, prints }) => {
  const { status, output } = inFreshRepository(code);
  expect(output).toBe(status === 0 ? (prints ?? output) : 'a program that ends well');
});
