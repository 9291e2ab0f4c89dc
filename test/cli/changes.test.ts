import { execFileSync } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Script } from '../../src/actors/model/script.ts';
import { git } from '../git/repository.ts';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = (path: string, content: string) => ({ calls: [{ tool: 'write', arguments: { path, content } }] });
const shell = (command: string) => ({ calls: [{ tool: 'shell', arguments: { command } }] });
const answers = [
  write('kept.txt', 'one\nTWO\n'),
  write('made.txt', 'made\n'),
  shell("rm gone.txt; printf 'a\\0b' > binary; chmod +x kept.txt"),
  { text: 'done' },
];
const FILES = { 'kept.txt': 'one\ntwo\n', 'gone.txt': 'gone\n', '.gitignore': '.loopfold\n' };

async function ran(script: Script = { answers }, more: readonly string[] = []) {
  const cwd = await project(script, FILES);
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const ended = await loopfold(['run', 'change things', ...MODEL, ...more, '--output-format', 'json'], { cwd });
  const { run } = resultIn(ended);
  return { cwd, run: run ?? '', loopfold: (...words: string[]) => loopfold(words, { cwd }) };
}

describe('G10 diff shows what a run has changed', () => {
  test('G10 as a patch that git takes, as a table, and as JSON', async () => {
    const { cwd, run, loopfold } = await ran();
    const { status, stdout, stderr } = await loopfold('diff', run);
    expect(status).toBe(0);
    expect(stderr).toContain(`run ${run}, from its start to its end: 4 files, +2 −2`);
    expect(stdout).toMatch(/^diff --git a\/binary b\/binary\n/);
    expect(stdout).toContain('GIT binary patch\n');
    expect(stdout).toContain('-two\n+TWO\n');
    await git(cwd, 'checkout', '--quiet', '.');
    await rm(join(cwd, 'made.txt'));
    await rm(join(cwd, 'binary'));
    execFileSync('git', ['apply', '-'], { cwd, input: stdout });
    expect(await readFile(join(cwd, 'binary'), 'latin1')).toBe('a\0b');
    expect((await loopfold('diff', '--last', '--stat')).stdout.split('\n')).toEqual([
      'added    binary  binary',
      'removed  +0 −1   gone.txt',
      'changed  +1 −1   kept.txt',
      'added    +1 −0   made.txt',
      '4 files, +2 −2',
      '',
    ]);
    const json = JSON.parse((await loopfold('diff', run, '--json')).stdout);
    expect(json).toMatchObject({ run, from: { name: 'its start' }, to: { name: 'its end' }, patch: stdout });
    expect(json.files).toContainEqual({ path: 'binary', status: 'added', binary: true, added: null, removed: null });
  });

  test('B8 G10 with names as they are, also beyond ASCII, and git takes that patch', async () => {
    const calls = [write('käse fondue.txt', 'x\n'), write('日本語/ファイル "q".txt', 'y\n'), { text: 'done' }];
    const { cwd, run, loopfold } = await ran({ answers: calls });
    const { stdout } = await loopfold('diff', run);
    expect(stdout).toContain('+++ b/käse fondue.txt\t\n');
    expect(stdout).toContain('+++ "b/日本語/ファイル \\"q\\".txt"');
    await git(cwd, 'clean', '--quiet', '-d', '--force');
    execFileSync('git', ['apply', '-'], { cwd, input: stdout });
    expect(await readFile(join(cwd, '日本語/ファイル "q".txt'), 'utf8')).toBe('y\n');
    expect((await loopfold('diff', run, '--stat')).stdout).toContain('käse fondue.txt\n');
  });

  testInTurn('G10 one iteration alone, and any two states', async () => {
    const attempts = ['1', '2'].map((n) => ({ answers: [write('n.txt', `${n}\n`), { text: n }] }));
    const { run, loopfold } = await ran({ attempts }, ['--verify', 'grep 2 n.txt']);
    expect((await loopfold('diff', run, '--iteration', '1')).stdout).toContain('new file');
    expect((await loopfold('diff', run, '--iteration', '2')).stdout).toContain('-1\n+2\n');
    expect((await loopfold('diff', run)).stdout).toContain('+2\n');
    const events = JSON.parse((await loopfold('events', run, '--json')).stdout.split('\n')[0] ?? '');
    expect(events).toMatchObject({ version: 1 });
    const between = await loopfold('diff', `${run}@end`, `${run}@start`);
    expect(between.stdout).toContain('deleted file');
    expect((await loopfold('diff', `${run}@1`)).stderr).toContain('no file differs');
    const beyond = await loopfold('diff', run, '--iteration', '3');
    expect(beyond).toMatchObject({ status: 5, stderr: expect.stringContaining('there is no round 3') });
    expect(await loopfold('diff', `${run}@9999`)).toMatchObject({
      status: 5,
      stderr: expect.stringMatching(/version 9999/),
    });
  });

  testInTurn('G10 of a run that waits it is the change to its latest capture, not to its end', async () => {
    const asking = { calls: [{ tool: 'ask_user', arguments: { question: 'Which?', choices: [] } }] };
    const { run, loopfold } = await ran({ answers: [write('made.txt', 'made\n'), asking, { text: 'done' }] });
    expect((await loopfold('diff', run)).stderr).toContain('from its start to its latest capture: 1 file');
    expect(await loopfold('answer', run, 'That.')).toMatchObject({ status: 0 });
    expect(await loopfold('resume', run)).toMatchObject({ status: 0 });
    expect((await loopfold('diff', run)).stderr).toContain('from its start to its end: 1 file');
  });

  testInTurn('G10 without a capture it exits with 5 and says why', async () => {
    const { cwd, run, loopfold } = await ran();
    await git(cwd, 'update-ref', '-d', `refs/loopfold/${run}/end`);
    expect(await loopfold('diff', run)).toMatchObject({
      status: 5,
      stderr: expect.stringMatching(/its process was gone/),
    });
    await git(cwd, 'update-ref', '-d', `refs/loopfold/${run}/0`);
    const none = await loopfold('diff', run);
    expect(none).toMatchObject({ status: 5, stderr: expect.stringMatching(/no capture of its start/) });
    expect(await loopfold('diff', 'nothing')).toMatchObject({ status: 2 });
  });
});

describe('G10 undo and apply', () => {
  testInTurn('G10 each file is named; a second time says so; apply brings it back', async () => {
    const { cwd, run, loopfold } = await ran();
    const check = await loopfold('undo', run, '--check');
    expect(check).toMatchObject({ status: 0, stderr: expect.stringMatching(/would be undone in .*: 4 files/) });
    expect(check.stdout.split('\n').slice(0, 2)).toEqual(['would be removed  binary', 'would be written  gone.txt']);
    expect(await readFile(join(cwd, 'made.txt'), 'utf8')).toBe('made\n');
    const undone = await loopfold('undo', run);
    expect(undone).toMatchObject({ status: 0, stderr: expect.stringMatching(/was undone in .*: 4 files/) });
    expect(undone.stdout).toBe('removed  binary\nwritten  gone.txt\nwritten  kept.txt\nremoved  made.txt\n');
    expect(await git(cwd, 'status', '--porcelain')).toBe('');
    const again = await loopfold('undo', run);
    expect(again).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/nothing to undo.*: it was undone at 2/),
    });
    const applied = await loopfold('apply', run, '--json');
    expect(JSON.parse(applied.stdout)).toMatchObject({ kind: 'done', run, files: [{}, {}, {}, {}], kept: [] });
    expect(await loopfold('apply', run)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/nothing to apply/),
    });
  });

  testInTurn('G10 a file that a person has changed is left and listed: 16, and a conflict of apply is 5', async () => {
    const { cwd, run, loopfold } = await ran();
    await writeFile(join(cwd, 'kept.txt'), 'one\nby a person\n');
    const undone = await loopfold('undo', run);
    expect(undone).toMatchObject({ status: 16, stderr: expect.stringMatching(/left {5}kept.txt: the same lines/) });
    expect(undone.stderr).toContain('--force');
    expect(await readFile(join(cwd, 'kept.txt'), 'utf8')).toBe('one\nby a person\n');
    const conflict = await loopfold('apply', run, '--check');
    expect(conflict).toMatchObject({
      status: 5,
      stderr: expect.stringMatching(/nothing would be written: 1 file of \S+ is in the way/),
    });
    expect(conflict.stderr).toMatch(/would be left {5}kept.txt: the same lines/);
    expect((await loopfold('apply', run)).stderr).toMatch(/nothing was written: 1 file of/);
  });

  testInTurn(
    'G10 a branch has the change as one commit that names the run; a branch that exists is refused',
    async () => {
      const { cwd, run, loopfold } = await ran();
      await git(cwd, 'config', 'user.name', 'Grace');
      await git(cwd, 'config', 'user.email', 'grace@example.org');
      await writeFile(join(cwd, '.git/hooks/reference-transaction'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const before = await git(cwd, 'status', '--porcelain');
      expect(await loopfold('apply', run, '--branch', 'the-change')).toMatchObject({ status: 0 });
      expect(await git(cwd, 'log', '--format=%an %s', 'the-change')).toBe('Grace change things\nAda start\n');
      expect(await git(cwd, 'log', '-1', '--format=%b', 'the-change')).toContain(`Run: ${run}\nOutcome: success\n`);
      expect(await git(cwd, 'show', '--format=', '--name-status', 'the-change')).toBe(
        'A\tbinary\nD\tgone.txt\nM\tkept.txt\nA\tmade.txt\n',
      );
      expect(await git(cwd, 'status', '--porcelain')).toBe(before);
      expect(await loopfold('apply', run, '--branch', 'the-change')).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/does not exist yet/),
      });
      expect(await loopfold('apply', run, '--branch', 'a..b')).toMatchObject({ status: 2 });
    },
  );

  testInTurn.each(['none', 'worktree'])(
    'G10 where nothing is committed yet, the advice after --branch works, and keeps the files (--isolate %s)',
    async (isolate) => {
      const cwd = await project({ answers: [write('a.txt', 'by the run\n'), { text: 'done' }] }, { 'a.txt': 'one\n' });
      await git(cwd, 'config', 'user.name', 'Grace');
      await git(cwd, 'config', 'user.email', 'grace@example.org');
      const { run } = resultIn(
        await loopfold(['run', 'x', ...MODEL, '--isolate', isolate, '--output-format', 'json'], { cwd }),
      );
      await writeFile(join(cwd, 'a.txt'), 'later\n');
      const { stderr } = await loopfold(['apply', run ?? '', '--branch', 'first'], { cwd });
      expect(stderr).toContain('git symbolic-ref');
      const advice = /: (git symbolic-ref .*)/.exec(stderr)?.[1] ?? 'exit 1';
      execFileSync('sh', ['-c', advice], { cwd, stdio: 'pipe' });
      expect(await git(cwd, 'branch', '--show-current')).toBe('first\n');
      expect(await git(cwd, 'show', 'HEAD:a.txt')).toBe('by the run\n');
      expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('later\n');
    },
  );

  testInTurn('G10 where a change fits neither files nor commit, a patch with its parts is offered', async () => {
    const cwd = await project(
      { answers: [write('a.txt', 'one\nby the run\n'), write('b.txt', 'new\n'), { text: 'done' }] },
      {
        'a.txt': 'one\ntwo\n',
        '.gitignore': '.loopfold\n',
      },
    );
    await git(cwd, 'add', '--all');
    await git(cwd, 'commit', '--quiet', '--message=start');
    await writeFile(join(cwd, 'a.txt'), 'one\nnot committed\n');
    const isolated = ['run', 'x', ...MODEL, '--isolate', 'worktree', '--output-format', 'json'];
    const run = resultIn(await loopfold(isolated, { cwd })).run ?? '';
    await writeFile(join(cwd, 'a.txt'), 'one\nlater\n');
    const conflict = await loopfold(['apply', run], { cwd });
    expect(conflict).toMatchObject({ status: 5, stdout: '' });
    expect(conflict.stderr).toContain('a.txt: the same lines have another content');
    const patch = /apply \S+ --patch (change-\S+\.patch)/;
    expect(conflict.stderr).toMatch(patch);
    const branched = await loopfold(['apply', run, '--branch', 'taken'], { cwd });
    expect(branched).toMatchObject({ status: 5, stderr: expect.stringMatching(patch) });
    const file = patch.exec(branched.stderr)?.[1] ?? '';
    const written = await loopfold(['apply', run, '--patch', file], { cwd });
    expect(written).toMatchObject({ status: 0, stderr: expect.stringContaining(`git apply --reject ${file} writes`) });
    expect(() => execFileSync('git', ['apply', '--reject', file], { cwd, stdio: 'pipe' })).toThrow('1 reject');
    const text = (path: string) => readFile(join(cwd, path), 'utf8');
    expect([await text('a.txt'), await text('b.txt')]).toEqual(['one\nlater\n', 'new\n']);
    expect(await text('a.txt.rej')).toContain('+by the run\n');
  });

  testInTurn('G10 a patch file is written once, and stdout has the same bytes', async () => {
    const { cwd, run, loopfold } = await ran();
    expect(await loopfold('apply', run, '--patch', join(cwd, 'x.patch'))).toMatchObject({ status: 0 });
    expect((await stat(join(cwd, 'x.patch'))).mode & 0o777).toBe(0o600);
    const patch = await readFile(join(cwd, 'x.patch'), 'utf8');
    expect(await loopfold('apply', run, '--patch', '-')).toMatchObject({ status: 0, stdout: patch });
    expect(await loopfold('apply', run, '--patch', join(cwd, 'x.patch'))).toMatchObject({ status: 2 });
  });
});
