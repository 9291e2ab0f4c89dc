import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { repository } from '../git/repository.ts';
import { folder, MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const FILES = {
  '.gitignore': 'node_modules/\ndist/\n.env\n',
  '.env': 'SECRET=1',
  'package.json': JSON.stringify({ name: 'x', type: 'module', scripts: { test: 'node checks/all.mjs' } }),
  'src/sum.js': '',
  'src/sum.test.js': '',
  'checks/all.mjs': '',
  'vitest.config.ts': `import './tools/shared.ts';`,
  'tools/shared.ts': '',
  'tools/free.ts': '',
  'tests/a.py': '',
  'tests/b.py': '',
  'tests/c.py': '',
  'tests/d.py': '',
  'dist/sum.js': '',
  'node_modules/x/index.js': '',
  'node_modules/.vite/x': '',
};

const groundsOf = async (cwd: string, words: readonly string[] = []) => {
  const { status, stdout } = await loopfold(['grounds', '--json', ...words], { cwd });
  expect(status).toBe(EXIT.success);
  const found = JSON.parse(stdout);
  const paths = Object.fromEntries(
    found.grounds.map(({ path, reason, by }: Record<string, string>) => [path, by ? `${reason} by ${by}` : reason]),
  );
  return { ...found, paths };
};

describe('V2 loopfold grounds', () => {
  test('B7 lists what no checkout has, each with what gives it, and a dry run does, too', async () => {
    const { root, git, write } = await repository({
      ...FILES,
      '.gitignore': 'dist\ndata\n',
      '.gitattributes': '*.bin filter=lfs',
    });
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n';
    await write({
      'data/n.csv': '1',
      'other.ignored': '',
      'a.bin': pointer,
      'made/x': '',
      'tests/a.py': "open('data/n.csv')",
    });
    await git('add', 'tests', 'package.json', 'a.bin');
    await git('init', '--quiet', 'made');
    await git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    await mkdir(join(root, 'sub'));
    const cures = ['--provide data', 'git submodule update --init sub', 'git lfs pull --include a.bin'];
    const { lacks } = await groundsOf(root);
    expect(lacks.map(({ cure }: { cure: string }) => cure)).toEqual([...cures, '--provide made, or commit in it']);
    const { stdout: page } = await loopfold(['grounds'], { cwd: root });
    expect(page).toContain('not in a checkout\n  data is in no capture, and tests/a.py names it: --provide data\n');
    await write({ 'model.json': JSON.stringify({ answers: [{ text: 'x' }] }) });
    const words = ['run', '--dry-run', ...MODEL, '--verify', 'true', '--provide', 'data', 'x'];
    const { stdout } = await loopfold(words, { cwd: root });
    expect(stdout).toMatch(
      /not in a checkout +sub is a submodule that is not initialised: git submodule update --init sub/,
    );
    expect(stdout).not.toContain('--provide data');
  });

  test('V2 lists tracked and new files that checks rest on, each with its reason', async () => {
    const { root, git, write } = await repository(FILES);
    await git('add', 'package.json', 'src', 'tests');
    const found = await groundsOf(root, [
      '--verify',
      'L1:npm test',
      '--protect',
      'src/*.js',
      '--unprotect',
      'tests/b*',
    ]);
    expect(found.paths).toEqual({
      '.gitignore': 'git-rules',
      'package.json': 'keys',
      'src/sum.js': 'protect by src/*.js',
      'src/sum.test.js': 'protect by src/*.js',
      'checks/all.mjs': 'check by npm test',
      'vitest.config.ts': 'configuration',
      'tools/shared.ts': 'named by vitest.config.ts',
      'tests/a.py': 'test-folder',
      'tests/c.py': 'test-folder',
      'tests/d.py': 'test-folder',
    });
    expect(found).toMatchObject({
      root,
      files: 12,
      released: ['tests/b.py'],
      keys: [{ path: 'package.json', restored: ['name', 'scripts'], named: ['type'], free: [] }],
      dependencies: ['node_modules'],
      made: ['dist', 'node_modules/.vite'],
      unmatched: { protect: [], unprotect: [] },
    });
    await write({ 'tests/e.py': '' });
    await rm(join(root, 'tests/a.py'));
    expect(Object.keys((await groundsOf(root)).paths).filter((path) => path.startsWith('tests/'))).toEqual([
      'tests/b.py',
      'tests/c.py',
      'tests/d.py',
      'tests/e.py',
    ]);
  });

  test('V2 for people: counts by reason, keys, folders, and what was not looked into', async () => {
    const { root } = await repository({ ...FILES, 'tests/e.py': '', Makefile: 'test:\n\t./run\n' });
    const { stdout } = await loopfold(['grounds', '--unprotect', 'tests/b*', '--protect', 'nowhere/**'], { cwd: root });
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual(
      expect.arrayContaining([
        ['10 of 14 files are grounds: what checks rest on'],
        ['', 'in folders of tests and their data', '4', 'tests/a.py, tests/c.py, tests/d.py, …'],
        ['', 'named in vitest.config.ts', '1', 'tools/shared.ts'],
        ['', 'package.json', 'grounds: name, scripts; named when they change: type'],
        ['', 'released by unprotect', '1', 'tests/b.py'],
        ['', 'installed dependencies', '1', 'node_modules'],
        ['', 'build output and caches', '2', 'dist, node_modules/.vite'],
        ['', 'what code computes', '2', 'vitest.config.ts, tools/shared.ts'],
        ['', 'what recipes run', '1', 'Makefile'],
        ['! protect: no file fits nowhere/**'],
        ['no check is configured: with --verify, the files that it runs are found, too'],
      ]),
    );
    const all = await loopfold(['grounds', '--all', '--verify', 'npm test'], { cwd: root });
    expect(all.stdout).toMatch(/^ {2}checks\/all\.mjs +run or named by the check npm test$/m);
    expect(all.stdout).not.toContain('no check is configured');
  });

  test('V2 options of the project count, and -C names the folder that its checks run in', async () => {
    const cwd = await project(
      { answers: [] },
      {
        'loopfold.config.json': '{"checks": ["node all.mjs"], "protect": ["web/free"], "unprotect": ["*.test.js"]}',
        'web/all.mjs': '',
        'web/free/a.js': '',
        'web/a.test.js': '',
        'all.mjs': '',
      },
    );
    expect((await groundsOf(cwd, ['-C', 'web'])).paths).toEqual({
      'web/all.mjs': 'check by node all.mjs',
      'web/free/a.js': 'protect by web/free',
    });
    expect((await groundsOf(cwd)).paths).toHaveProperty(['all.mjs']);
  });

  test('V2 files that cannot be read by their keys are grounds as a whole', async () => {
    const { root } = await repository({ 'a/package.json': '{"scripts":', 'b/pyproject.toml': '[tool' });
    await mkdir(join(root, 'c'));
    await symlink('/etc/hostname', join(root, 'c/package.json'));
    expect((await groundsOf(root)).keys).toEqual([
      { path: 'a/package.json', because: 'it is not a JSON object' },
      { path: 'b/pyproject.toml', because: 'it is not TOML' },
      { path: 'c/package.json', because: 'it cannot be read as a text file' },
    ]);
  });

  test('V2 names with line ends, repositories within and nothing at all', async () => {
    const { root, git } = await repository({ 'tests/a\nb/c': '', 'tests/within/x': '' });
    await git('init', '--quiet', 'tests/within');
    await git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},tests/submodule`);
    await mkdir(join(root, 'tests/submodule'));
    expect((await groundsOf(root)).paths).toEqual({ 'tests/a\nb/c': 'test-folder' });
    expect((await loopfold(['grounds', '--all'], { cwd: root })).stdout).toContain('  tests/a b/c  ');
    const empty = await repository();
    const { stdout } = await loopfold(['grounds'], { cwd: empty.root });
    expect(stdout).toContain('0 of 0 files are grounds');
  });

  test('V2 outside of git, and in a folder that git ignores, it says what to do', async () => {
    const outside = await loopfold(['grounds'], { cwd: await folder({ 'a.js': '' }) });
    expect(outside).toMatchObject({ status: EXIT.environment, stdout: '' });
    expect(outside.stderr).toContain('Run: git init');
    const { root } = await repository(FILES);
    const ignored = await loopfold(['grounds', '-C', 'dist'], { cwd: root });
    expect(ignored).toMatchObject({ status: EXIT.environment });
    expect(ignored.stderr).toContain('Name another folder');
  });

  test.each([
    ['--protect', '!tests/**'],
    ['--protect', '/etc/**'],
    ['--unprotect', '../x'],
    ['--unprotect', 'x'.repeat(1_001)],
  ])('V2 %s %s is refused, with what is expected', async (flag, glob) => {
    const { root } = await repository();
    const { status, stderr } = await loopfold(['grounds', flag, glob], { cwd: root });
    expect(status).toBe(EXIT.usage);
    expect(stderr).toContain('expected a glob from the top of the repository');
  });

  test('V2 a run warns that it does not go by protect and unprotect yet', async () => {
    const cwd = await project({ answers: [{ text: 'done' }] });
    await writeFile(join(cwd, 'a.txt'), '');
    const { stderr } = await loopfold(['run', ...MODEL, '--protect', 'a.txt', 'Say that it is done.'], { cwd });
    expect(stderr).toContain('protect and unprotect are not used');
  });
});
