import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCheck } from '../../src/actors/verify/check-run.ts';
import { shadowedChecks } from '../../src/app/start/checks-beside-log.ts';
import { run } from '../repository/tool.ts';
import { testInTurn } from '../support/in-turn.ts';
import { resolved } from './resolved.ts';

function repository(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-clean-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  run('git', ['init', '--quiet'], folder);
  put(folder, files);
  run('git', ['add', '--all'], folder);
  run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'First'], folder);
  return folder;
}

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function checked(directory: string, options: Parameters<typeof resolved>[0] = { checks: ['clean-tree'] }) {
  const [check] = resolved(options).settings.checks;
  if (!check) throw new Error('no check');
  const { signal } = new AbortController();
  return (await runCheck({ run: 'r', check, directory, environment: [], signal, onOutput: () => {} }))?.result;
}

test('R9 clean-tree is a check by name, at any level', () => {
  const { settings } = resolved({ checks: ['clean-tree', 'L2: clean-tree', 'clean-tree --all'] });
  expect(settings.checks).toMatchObject([
    { level: 'L0', name: 'clean-tree', command: expect.stringMatching(/git .*status/) },
    { level: 'L2', name: 'clean-tree', command: expect.stringMatching(/git .*status/) },
    { level: 'L0', name: 'clean-tree --all', command: 'clean-tree --all' },
  ]);
});

test('R9 clean-tree as the command of an object is that command, and no name is taken from a user', () => {
  const checks = [{ command: 'clean-tree' }, { name: 'clean-tree', command: 'make clean' }];
  expect(resolved({ checks }).settings.checks).toMatchObject([
    { name: 'clean-tree', command: 'clean-tree' },
    { name: 'clean-tree', command: 'make clean' },
  ]);
});

test('R9 clean-tree passes where everything is committed or ignored, and lists what is not', async () => {
  const folder = repository({ 'a.txt': '1', 'b/c.txt': '1', '.gitignore': 'out\n' });
  put(folder, { 'out/x': '1' });
  expect(await checked(folder)).toMatchObject({ passed: true, output: '' });
  put(folder, { 'a.txt': '2', 'new/it is.txt': '1' });
  rmSync(join(folder, 'b/c.txt'));
  const result = await checked(folder);
  expect(result).toMatchObject({ name: 'clean-tree', passed: false, exitCode: 1 });
  expect(result?.output).toBe(
    'These files are not committed. Commit them, remove them, or let git ignore them:\n M a.txt\n D b/c.txt\n?? "new/it is.txt"\n',
  );
});

test('R9 clean-tree looks at the whole repository from any folder of it', async () => {
  const folder = repository({ 'a.txt': '1', 'b/c.txt': '1' });
  put(folder, { 'a.txt': '2' });
  expect(await checked(join(folder, 'b'))).toMatchObject({ passed: false, output: expect.stringContaining(' M ') });
});

testInTurn('R9 clean-tree leaves out what the run writes itself, and nothing else beside it', async () => {
  const folder = repository({ 'a.txt': '1', "it's/b.txt": '1' });
  const options = { checks: ['clean-tree'], stateDirectory: "it's" };
  put(folder, {
    '.loopfold/log.db': '1',
    'deep/.loopfold/log.db': '1',
    '.claude/ralph-loop.local.md': '1',
    "it's/loop-state.json": '1',
    "it's/metrics.json": '1',
  });
  expect(await checked(folder, options)).toMatchObject({ passed: true });
  put(folder, { '.claude/settings.json': '1', "it's/other.json": '1' });
  const result = await checked(folder, options);
  expect(result?.output.split('\n').slice(1)).toEqual(['?? .claude/settings.json', "?? it's/other.json", '']);
});

testInTurn('R9 clean-tree is not fooled by what the repository configures', async () => {
  const folder = repository({ 'a.txt': '1' });
  put(folder, {
    'b.txt': '1',
    '.git/hooks/monitor': String.raw`#!/bin/sh
printf 'token\0'
`,
  });
  chmodSync(join(folder, '.git/hooks/monitor'), 0o755);
  run('git', ['config', 'status.showUntrackedFiles', 'no'], folder);
  run('git', ['config', 'core.fsmonitor', '.git/hooks/monitor'], folder);
  run('git', ['update-index', '--fsmonitor'], folder);
  run('git', ['status'], folder);
  put(folder, { 'a.txt': 'another length' });
  expect(run('git', ['status', '--porcelain'], folder).stdout).toBe('');
  const result = await checked(folder);
  expect(result?.output.split('\n').slice(1)).toEqual([' M a.txt', '?? b.txt', '']);
});

test('R9 clean-tree fails outside a repository, and says why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-clean-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await checked(folder)).toMatchObject({
    passed: false,
    output: expect.stringContaining('not a git repository'),
  });
});

test('R9 a command of the same name is not replaced without a warning', async () => {
  const folder = repository({ 'clean-tree': '#!/bin/sh\n', 'no/clean-tree': 'text' });
  chmodSync(join(folder, 'clean-tree'), 0o755);
  const { settings } = resolved({ checks: ['clean-tree'] });
  expect(await shadowedChecks(settings, `${join(folder, 'no')}:${folder}`)).toEqual([
    `The check clean-tree is the one that ships; ${folder}/clean-tree is not run. For that, write the check as {"command": "clean-tree"}.`,
  ]);
  expect(await shadowedChecks(settings, join(folder, 'no'))).toEqual([]);
  const own = resolved({ checks: [{ command: 'clean-tree' }] });
  expect(await shadowedChecks(own.settings, folder)).toEqual([]);
});
