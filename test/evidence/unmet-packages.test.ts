import { expect, test } from 'vitest';
import { askedPackages } from '../../src/evidence/packages/ask-packages.ts';
import { installsPackages, isLockfile, isPackageFile } from '../../src/evidence/packages/package-files.ts';
import { newlyUnmet, unmetPackages, unmetText } from '../../src/evidence/packages/unmet-packages.ts';
import { isRange, meets, rangeOfCargo, rangeOfPython } from '../../src/evidence/packages/version-ranges.ts';
import type { Files } from './story.ts';

interface Tree {
  readonly files: Files;
  /** Lockfiles as they were. */
  readonly before?: Files;
  readonly folders?: readonly string[];
  /** Versions by place. */
  readonly installed?: Files;
}

const unmet = ({ files, before = {}, folders = ['node_modules'], installed = {} }: Tree): readonly string[] => {
  const [texts, known] = [files, before].map((all) => new Map(Object.entries(all)));
  const asked = askedPackages({ files: texts ?? new Map(), before: known ?? new Map(), folders });
  return unmetPackages(asked, new Map(Object.entries(installed))).map(unmetText);
};

const manifest = (more: object) => JSON.stringify(more);
const MS = { 'package.json': manifest({ dependencies: { ms: '^3.0.0' } }) };
const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
const HAS_2 = { 'node_modules/ms': '2.1.3' };
const ASKS_3 = 'ms: package.json asks for ^3.0.0, 2.1.3 is installed';

test.each<[string, Tree, readonly string[]]>([
  ['an older version', { files: MS, installed: HAS_2 }, [ASKS_3]],
  ['a version in the range', { files: MS, installed: { 'node_modules/ms': '3.1.0' } }, []],
  ['nothing', { files: MS }, ['ms: package.json asks for ^3.0.0, none is installed']],
  ['no folder of packages', { files: MS, folders: [] }, []],
  ['a package without a version', { files: MS, installed: { 'node_modules/ms': '' } }, []],
  ...['npm:other@^3', 'npm:@scope/other@^3'].map((wanted): [string, Tree, readonly string[]] => [
    `an older version of ${wanted}`,
    { files: { 'package.json': manifest({ dependencies: { ms: wanted } }) }, installed: HAS_2 },
    [`ms: package.json asks for ${wanted}, 2.1.3 is installed`],
  ]),
  [
    'what may be missing',
    { files: { 'package.json': manifest({ optionalDependencies: { a: '1' }, peerDependencies: { b: '1' } }) } },
    [],
  ],
  [
    'a peer in another version',
    { files: { 'package.json': manifest({ peerDependencies: { ms: '^3' } }) }, installed: HAS_2 },
    ['ms: package.json asks for ^3, 2.1.3 is installed'],
  ],
  ...['file:../ms', 'npm:other', 'git+https://example.com/ms', 'workspace:*', 'latest', 'owner/ms', 'catalog:'].map(
    (wanted): [string, Tree, readonly string[]] => [
      wanted,
      { files: { 'package.json': manifest({ dependencies: { ms: wanted } }) }, installed: HAS_2 },
      [],
    ],
  ),
  ...[
    { overrides: { ms: '2.1.3' } },
    { resolutions: { '**/ms': '2' } },
    { pnpm: { overrides: { 'a>ms@1': '2' } } },
  ].map((more): [string, Tree, readonly string[]] => [
    `an override ${JSON.stringify(more)}`,
    { files: { 'package.json': manifest({ dependencies: { ms: '^3.0.0' }, ...more }) }, installed: HAS_2 },
    [],
  ]),
  [
    'a workspace, from its own folder or the top',
    {
      files: {
        'package.json': manifest({ workspaces: ['packages/*', '!packages/old'] }),
        'packages/a/package.json': manifest({ dependencies: { ms: '^3', other: '^1' } }),
        'packages/old/package.json': manifest({ dependencies: { ms: '^4' } }),
        'packages/a/test/fixture/package.json': manifest({ dependencies: { react: '1' } }),
      },
      installed: { ...HAS_2, 'packages/a/node_modules/ms': '3.0.0', 'node_modules/other': '2.0.0' },
    },
    ['other: packages/a/package.json asks for ^1, 2.0.0 is installed'],
  ],
  [
    'a lockfile that is older than the manifest',
    { files: { ...MS, 'package-lock.json': lock({ 'node_modules/ms': { version: '2.1.3' } }) }, folders: [] },
    ['ms: package-lock.json asks for ^3.0.0, 2.1.3 is installed'],
  ],
  [
    'a lockfile that is newer than what is installed, also of what nothing asks for itself',
    {
      files: {
        'package-lock.json': lock({ 'node_modules/a': { version: '2.0.0' }, 'node_modules/b': { version: '1.0.0' } }),
      },
      before: { 'package-lock.json': lock({ 'node_modules/b': { version: '1.0.0' } }) },
      installed: { 'node_modules/a': '1.0.0', 'node_modules/b': '0.9.0' },
    },
    ['a: package-lock.json asks for 2.0.0, 1.0.0 is installed'],
  ],
  [
    'a link and another name in a lockfile',
    { files: { ...MS, 'package-lock.json': lock({ 'node_modules/ms': { link: true } }) }, folders: [] },
    [],
  ],
  ['a lockfile that cannot be read', { files: { ...MS, 'package-lock.json': '{' }, folders: [] }, []],
  [
    'pnpm',
    {
      files: {
        ...MS,
        'pnpm-lock.yaml': 'importers:\n  .:\n    dependencies:\n      ms:\n        version: 2.1.3(x@1)\n',
      },
      folders: [],
    },
    ['ms: pnpm-lock.yaml asks for ^3.0.0, 2.1.3 is installed'],
  ],
  [
    'yarn',
    { files: { ...MS, 'yarn.lock': '# v1\n\nms@^2.0.0, ms@^2.1.1:\n  version "2.1.3"\n' }, folders: [] },
    ['ms: yarn.lock asks for ^3.0.0, none is installed'],
  ],
  [
    'yarn 4',
    { files: { ...MS, 'yarn.lock': '"ms@npm:^3.0.0":\n  version: 3.0.0\n  resolution: x\n' }, folders: [] },
    [],
  ],
  [
    'requirements of Python',
    {
      files: {
        'requirements.txt':
          'Six_x>=1.16 # it is\nplain\n-r more.txt\nb==2.*\nc @ https://example.com/c\nd~=1.4,!=1.5\n',
      },
      folders: ['.venv'],
      installed: { 'python:six-x': '1.15', 'python:b': '1.0', 'python:d': '2.0', 'python:plain': '1' },
    },
    [
      'Six_x: requirements.txt asks for >=1.16, 1.15 is installed',
      'b: requirements.txt asks for ==2.*, 1.0 is installed',
      'd: requirements.txt asks for ~=1.4,!=1.5, 2.0 is installed',
    ],
  ],
  [
    'a project of Python, and its lockfile',
    {
      files: {
        'pyproject.toml':
          '[project]\ndependencies = ["a>=2", "b; sys_platform == \'x\'"]\n[dependency-groups]\nx = ["c>1"]\n',
        'uv.lock': '[[package]]\nname = "a"\nversion = "1.0.0"\n',
      },
      folders: ['.venv'],
      installed: { 'python:a': '2.1.0' },
    },
    ['a: uv.lock asks for >=2, 1.0.0 is installed'],
  ],
  [
    'Cargo',
    {
      files: {
        'Cargo.toml': '[dependencies]\na = "2"\nb = { path = "b" }\nc = { version = "1", package = "d" }\n',
        'Cargo.lock': '[[package]]\nname = "a"\nversion = "1.0.0"\n\n[[package]]\nname = "d"\nversion = "1.4.0"\n',
      },
    },
    ['a: Cargo.lock asks for 2, 1.0.0 is installed'],
  ],
  [
    'Go',
    {
      files: {
        'go.mod':
          'module m\nrequire (\n\texample.com/a v1.2.3\n\texample.com/b v1.0.0\n)\nreplace example.com/b => ./b\n',
        'vendor/modules.txt': '# example.com/a v1.2.2\n## explicit\n',
      },
    },
    ['example.com/a: go.mod asks for v1.2.3, v1.2.2 is installed'],
  ],
])('V17 packages that are not there as asked for are named: %s', (_what, tree, names) => {
  expect(unmet(tree)).toEqual(names);
});

test('V17 what did not agree before the work is not held against it', () => {
  const one = { name: 'ms', asked: 'package.json', wanted: '^3', installed: '2.1.3' };
  const other = { ...one, wanted: '^4' };
  expect(newlyUnmet([one], [one, other])).toEqual([other]);
});

test.each([
  ['>=1.4,<2', '>=1.4.0 <2.0.0'],
  ['~=1.4.2', '>=1.4.2 <1.5.0'],
  ['~=1.4', '>=1.4.0 <2.0.0'],
  ['==1.4.*', '1.4.x'],
  ['>=1.0rc1', null],
  ['', '*'],
])('V17 a specifier of Python is a range: %s', (specifier, range) => {
  expect(rangeOfPython(specifier)).toBe(range);
});

test('V17 ranges are those of npm, and of Cargo where they mean the same', () => {
  expect(['^1', '>=1 <2 || 3.x', 'latest', 'file:a'].map(isRange)).toEqual([true, true, false, false]);
  expect(rangeOfCargo('1.2, <1.9')).toBe('^1.2 <1.9');
  expect([meets('1.10', '^1.9.0'), meets('2.0.0-rc.1', '^1'), meets('unknown', '^1')]).toEqual([true, false, true]);
});

test('V17 checks that install packages are not asked what is installed', () => {
  const commands = ['npm ci && npm test', 'pip install -r x', 'uv run pytest', 'yarn', 'npm --prefix web install'];
  expect(commands.filter((command) => !installsPackages([command]))).toEqual([]);
  expect(
    ['npm test', 'node --test', 'yarn test', 'pytest -k install'].filter((one) => installsPackages([one])),
  ).toEqual([]);
});

test('V17 manifests of installed packages do not belong to the project', () => {
  const paths = ['package.json', 'a/requirements-dev.txt', 'vendor/modules.txt', 'uv.lock'];
  expect(paths.filter(isPackageFile)).toEqual(paths);
  expect(['node_modules/a/package.json', 'src/package.js', '.venv/x/pyproject.toml'].filter(isPackageFile)).toEqual([]);
  expect(['node_modules/a/yarn.lock', 'b/yarn.lock', 'package.json'].filter(isLockfile)).toEqual(['b/yarn.lock']);
});
