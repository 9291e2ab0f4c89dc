import { expect, test } from 'vitest';
import { buildIn } from '../../src/evidence/build-script.ts';
import { givenBy, lackLines, namedLacks } from '../../src/evidence/checkout-lacks.ts';
import { curesIn, lackedText } from '../../src/evidence/lack-text.ts';

const PATHS = ['.env.test', 'data/', 'conf/local.json', 'dist/', 'secrets'];
const namedBy = (text: string) => namedLacks(PATHS, [{ name: 'a.test.js', text }]).map(({ path }) => path);

test.each([
  ["readFileSync('.env.test')", ['.env.test']],
  ["readFileSync('my.env.test'); '.env.testing'", []],
  ["open('data/n.csv')", ['data']],
  ["join(root, 'data', name)", ['data']],
  ['all data of the test, metadata/x', []],
  ["join(here, 'local.json')", ['conf/local.json']],
  ['node dist/main.js', ['dist']],
  ['no secrets here', []],
  ["open('secrets')", ['secrets']],
])('B7 of paths that no checkout has, the text %s names %j', (text, paths) => {
  expect(namedBy(text)).toEqual(paths);
});

test('B7 each line of what a checkout lacks names the flag or the command that gives it', () => {
  const lacks = [
    ...namedLacks(['.env.test', 'my data/', 'dist/'], [{ name: 'the check unit', text: '.env.test dist/x "my data"' }]),
    { path: 'sub', kind: 'submodule', by: null } as const,
    { path: 'big.bin', kind: 'pointer', by: null } as const,
    { path: 'made', kind: 'repository', by: null } as const,
  ];
  expect(lackLines(lacks, 'npm run build')).toEqual([
    '.env.test is in no capture, and the check unit names it: --provide .env.test',
    "my data is in no capture, and the check unit names it: --provide 'my data'",
    "dist is made by a build, and the check unit names it: --prepare 'npm run build'",
    'sub is a submodule that is not initialised: git submodule update --init sub',
    'big.bin is a pointer of Git LFS, without its content: git lfs pull --include big.bin',
    'made is a repository without a commit: --provide made, or commit in it',
  ]);
  const isGiven = givenBy(['.env.test', 'made/'], ['make']);
  expect(lacks.filter((lack) => !isGiven(lack)).map(({ path }) => path)).toEqual(['my data', 'sub', 'big.bin']);
});

test.each([
  [{ scripts: { prepare: 'tsc', build: 'vite build' } }, 'npm run build'],
  [{ scripts: { prepare: 'tsc' } }, 'npm run prepare'],
  [{ scripts: { prepare: 'husky' } }, null],
  [{}, null],
])('B7 the build of %j is %s', (manifest, build) => {
  expect(buildIn(JSON.stringify(manifest))).toBe(build);
});

test('B7 the flags that a text about lacking files proposes are read back as words', () => {
  const lacked = { checks: ['unit'], homePaths: ['.aws'], network: false };
  const ignored = ['.env.test', "it's here", 'dist'];
  const text = lackedText({ ...lacked, ignored, build: "sh -c 'make'" }, 'before anything is changed');
  const flags = [
    '--provide',
    '.env.test',
    '--provide',
    "it's here",
    '--prepare',
    "sh -c 'make'",
    '--home-path',
    '.aws',
  ];
  expect(curesIn(text)).toEqual(flags);
  expect(curesIn(lackedText({ ...lacked, ignored: ['dist'], homePaths: [] }, ''))).toEqual([]);
  expect(curesIn('Give it the files with --provide, have it made ready with --prepare, mend the command')).toEqual([]);
});
