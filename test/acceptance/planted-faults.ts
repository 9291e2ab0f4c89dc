import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Content, repository, temporaryFolder } from '../git/repository.ts';
import { root as ours } from '../repository/tool.ts';

/** What a compiler needs, of ours. */
const COMPILER = ['package.json', 'lib/tsc.js', 'lib/_tsc.js', 'lib/lib.es5.d.ts'];
const LIBRARIES = ['lib/lib.decorators.d.ts', 'lib/lib.decorators.legacy.d.ts'];

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

/** How `loopfold improve` looks at it. */
const CONFIG = {
  checks: [
    {
      level: 'L0',
      name: 'types',
      command: 'node node_modules/typescript/lib/tsc.js --project tsconfig.json',
    },
    { level: 'L1', name: 'tests', command: 'node --test --test-isolation=none' },
  ],
  options: {
    phases: {
      evaluate: {
        benchmarks: [
          { name: 'unique', command: 'node bench/unique.js', metric: '([\\d.]+) ms', target: 20, threshold: 0.5 },
        ],
      },
    },
  },
};

/**
 * Six faults: a test fails, another one does, a value has the wrong type, a function is slow, a test is skipped, and a
 * comment says what is to be done, with a test for it.
 */
export const FILES = {
  '.gitignore': lines('node_modules', '.loopfold'),
  'package.json': lines('{"type": "module"}'),
  'loopfold.config.json': JSON.stringify(CONFIG),
  'tsconfig.json': JSON.stringify({
    compilerOptions: { noEmit: true, strict: true, lib: ['es5'], module: 'esnext', types: [] },
    include: ['src/*.ts'],
  }),
  'src/sum.js': lines('export const sum = (a, b) => a - b;'),
  'src/parts.js': lines('export const half = (n) => n / 2;', 'export const third = (n) => half(n);'),
  'src/label.ts': lines('export const label = (count: number): string => count;'),
  'src/unique.js': lines(
    'export function unique(list) {',
    '  return list.filter((one, index) => list.slice(0, index).every((other) => other !== one));',
    '}',
  ),
  'src/list.js': lines(
    '// TODO: sorted(list) must not change its argument (see test/all.test.js)',
    'export const sorted = (list) => list.sort((a, b) => a - b);',
  ),
  'bench/unique.js': lines(
    "import { unique } from '../src/unique.js';",
    'const list = Array.from({ length: 3_000 }, (_, index) => index);',
    'const begin = performance.now();',
    'unique(list);',
    'console.log(`${performance.now() - begin} ms`);',
  ),
  'test/all.test.js': lines(
    "import { test } from 'node:test';",
    "import assert from 'node:assert';",
    "import { sum } from '../src/sum.js';",
    "import { half, third } from '../src/parts.js';",
    "import { sorted } from '../src/list.js';",
    "test('adds', () => assert.equal(sum(1, 2), 3));",
    "test('halves', () => assert.equal(half(6), 3));",
    "test('thirds', () => assert.equal(third(6), 2));",
    "test('sorts', () => assert.deepEqual(sorted([3, 1, 2]), [1, 2, 3]));",
    "test.skip('halves nothing', () => assert.equal(half(undefined), 0));",
  ),
} satisfies Readonly<Record<string, Content>>;

/** Two of them, for a night of seconds: two tests fail. There is nothing to compile, and nothing to measure. */
export const FAILING = {
  '.gitignore': FILES['.gitignore'],
  'package.json': FILES['package.json'],
  'loopfold.config.json': JSON.stringify({ checks: CONFIG.checks.slice(1) }),
  'src/sum.js': FILES['src/sum.js'],
  'src/parts.js': FILES['src/parts.js'],
  'test/all.test.js': FILES['test/all.test.js']
    .split('\n')
    .filter((line) => !/sorted|nothing/.test(line))
    .join('\n'),
} satisfies Readonly<Record<string, Content>>;

/** A repository of a person, who has work of her own in it, and beside it a folder for a model and a configuration. */
export async function plantedRepository(files: Readonly<Record<string, Content>> = FILES) {
  const repo = await repository(files);
  for (const [name, value] of [
    ['user.name', 'Grace'],
    ['user.email', 'grace@example.org'],
  ] as const)
    await repo.git('config', name, value);
  for (const path of [...COMPILER, ...LIBRARIES]) {
    const copy = join(repo.root, 'node_modules/typescript', path);
    await mkdir(dirname(copy), { recursive: true });
    await cp(join(ours, 'node_modules/typescript', path), copy);
  }
  await repo.commit();
  return { ...repo, beside: await temporaryFolder() };
}
