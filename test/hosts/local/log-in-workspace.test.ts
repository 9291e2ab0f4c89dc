import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import type { AnyScript } from '../../../src/hosts/local/extensions.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { Log } from '../../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { tool } from '../../support/stand-ins.ts';

const write = (path: string, content = 'x\n') => ({ tool: 'write', arguments: { path, content } });
const writing = (...paths: string[]): AnyScript => ({
  answers: [{ calls: paths.map((path) => write(path)) }, { text: 'done' }],
});

function opened(path: string): Log {
  const log = openSqliteLog(path);
  onTestFinished(() => log.close());
  return log;
}

async function committed() {
  const repo = await repository({ 'a.txt': '1\n', 'state/.keep': '', '.gitignore': '.loopfold\n' });
  await repo.git('config', 'user.name', 'Grace');
  await repo.git('config', 'user.email', 'grace@example.org');
  await repo.commit();
  return repo;
}

async function ended(loops: Loops, options: Partial<RunOptions> & { directory: string }) {
  const live = await loops.start({ prompt: 'x', loop: 'turn', ...options });
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' } });
  return live.run;
}

const paths = async (loops: Loops, run: string) => {
  const change = await loops.diff(run);
  if (change.kind !== 'change') throw new Error(change.kind);
  return { files: change.files.map(({ path }) => path), patch: await text(change.patch()) };
};

const verified = async (log: Log) =>
  Promise.all((await log.runs()).map(async ({ run }) => (await log.verify(run)).kind));

describe('G10 the files of the log are no work of its runs', () => {
  testInTurn.each(['log.db', 'state/runs.sqlite'])(
    'G10 %s is in no capture, no diff, no patch and no branch',
    async (path) => {
      const { root, git, filesOf } = await committed();
      const log = opened(join(root, path));
      const loops = new Loops({ log, model: scriptedModel(writing('new.txt')) });
      const run = await ended(loops, { directory: join(root, 'state'), checks: ['test -e new.txt'] });
      for (const ref of ['0', '1', 'end']) {
        expect(Object.keys(await filesOf(`refs/loopfold/${run}/${ref}`))).not.toContainEqual(
          expect.stringContaining(path),
        );
      }
      const { files, patch } = await paths(loops, run);
      expect(files).toEqual(['state/new.txt']);
      expect(patch).not.toContain(path);
      expect(await loops.branch(run, 'one')).toMatchObject({ kind: 'made' });
      expect(await git('show', '--format=', '--name-only', 'one')).toBe('state/new.txt\n');
      expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: [{ path: 'state/new.txt' }] });
      expect(await verified(log)).toEqual(['intact']);
    },
  );

  testInTurn('G10 neither is one behind a symbolic link, nor one that git has from a commit', async () => {
    const { root, commit, git } = await committed();
    await symlink('state', join(root, 'link'));
    const path = join(root, 'link', 'real.db');
    const first = openSqliteLog(path);
    await ended(new Loops({ log: first, model: scriptedModel(writing('a')) }), { directory: root });
    await first.close();
    await commit();
    const log = opened(path);
    const loops = new Loops({ log, model: scriptedModel(writing('b')) });
    const run = await ended(loops, { directory: root, checks: ['test -e b'] });
    expect((await paths(loops, run)).files).toEqual(['b']);
    expect(await git('ls-tree', '-r', '--name-only', `refs/loopfold/${run}/end`)).not.toMatch(/[.]db/);
    expect(await verified(log)).toEqual(['intact', 'intact']);
  });

  test('R9 clean-tree does not count them, and an iteration whose attempt does nothing changes nothing', async () => {
    const { root } = await committed();
    const log = opened(join(root, 'log.db'));
    const loops = new Loops({ log, model: scriptedModel({ answers: [{ text: 'done' }] }) });
    const run = await ended(loops, {
      directory: join(root, 'state'),
      loop: 'iteration',
      checks: ['clean-tree'],
      checkIn: 'workspace',
    });
    const changed = [];
    for await (const { type, payload } of log.read(run)) if (type === 'workspace.captured') changed.push(payload);
    expect(changed).toEqual([expect.objectContaining({ changed: [] })]);
  });

  testInTurn('G10 undo and branch leave them out of captures that an earlier version has made with them', async () => {
    const { root, git } = await committed();
    const log = opened(join(root, 'log.db'));
    const loops = new Loops({ log, model: scriptedModel(writing('new.txt')) });
    const run = await ended(loops, { directory: root });
    await git('add', '--all');
    const tree = (await git('write-tree')).trim();
    await git('read-tree', 'HEAD');
    expect(await git('ls-tree', '-r', '--name-only', tree)).toContain(`log.db.heads/${run}\n`);
    await git('update-ref', `refs/loopfold/${run}/end`, tree);
    expect((await paths(loops, run)).files).toEqual(['new.txt']);
    await loops.branch(run, 'one');
    expect(await git('show', '--format=', '--name-only', 'one')).toBe('new.txt\n');
    const undone = await loops.undo(run, { force: true });
    expect(undone).toMatchObject({ kind: 'done', files: [{ path: 'new.txt' }], kept: [] });
    // As a process finds it that opens the log after this one was killed.
    expect(await verified(opened(join(root, 'log.db')))).toEqual(['intact']);
  });

  testInTurn('G10 X4 what an isolated run writes under their names is not applied over them', async () => {
    const { root } = await committed();
    const log = opened(join(root, 'log.db'));
    const loops = new Loops({ log, model: scriptedModel(writing('log.db', 'log.db-wal', 'new.txt')) });
    const run = await ended(loops, { directory: root, isolate: 'worktree' });
    expect((await paths(loops, run)).files).toEqual(['new.txt']);
    expect(await loops.apply(run)).toMatchObject({ kind: 'done', files: [{ path: 'new.txt' }] });
    expect(await verified(log)).toEqual(['intact']);
  });

  testInTurn('G10 nor are they files of a repository within that no capture has', async () => {
    const { root, commit, git } = await committed();
    const within = await committed();
    await git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', within.root, 'within');
    await commit();
    const log = opened(join(root, 'within/log.db'));
    const loops = new Loops({ log, model: scriptedModel(writing('within/new.txt', 'b.txt')), warn: () => {} });
    const run = await ended(loops, { directory: root });
    expect(await loops.diff(run)).toMatchObject({ files: [{ path: 'b.txt' }], uncaptured: ['within/new.txt'] });
    expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: [{ path: 'b.txt' }] });
    expect(await verified(log)).toEqual(['intact']);
  });

  testInTurn('G10 no tool writes them', async () => {
    const { root } = await committed();
    const log = opened(join(root, 'log.db'));
    const loops = new Loops({ log, model: scriptedModel(writing('log.db', 'log.db-wal', 'log.db.heads/x')) });
    const run = await ended(loops, { directory: root });
    const faults = [];
    for await (const { type, payload } of log.read(run)) if (type === 'tool.failed') faults.push(payload);
    const fault = { code: 'path_refused', message: expect.stringContaining('a log of runs that is in use') };
    expect(faults).toEqual(Array(3).fill(expect.objectContaining({ fault: expect.objectContaining(fault) })));
    expect(await verified(log)).toEqual(['intact']);
  });
});

describe('G10 another log in the workspace', () => {
  testInTurn('G10 is left alone by undo while it is open, and is a file like any other when it is closed', async () => {
    const { root } = await committed();
    const path = join(root, 'other.db');
    const others: Log[] = [];
    const open = tool('open_log', async () => {
      others.push(openSqliteLog(path));
      return { output: '' };
    });
    const script = { answers: [{ calls: [{ tool: 'open_log' }] }, { text: 'done' }] };
    const loops = new Loops({ log: memoryLog(), model: scriptedModel(script), tools: [open] });
    const run = await ended(loops, { directory: root, tools: ['open_log', 'finish'] });
    const [other] = others;
    if (!other) throw new Error('not opened');
    await ended(new Loops({ log: other, model: scriptedModel({ answers: [{ text: 'done' }] }) }), { directory: root });
    const because = 'it belongs to a log of runs that is in use';
    const undone = await loops.undo(run);
    expect(undone).toMatchObject({ kind: 'partial' });
    expect('kept' in undone && undone.kept).toContainEqual({ path: 'other.db', because });
    expect(await verified(other)).toEqual(['intact']);
    await other.close();
    expect(await loops.undo(run, { force: true })).toMatchObject({ kind: 'done' });
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  test('G10 a file that only has such a name is written and taken back', async () => {
    const { root } = await committed();
    await mkdir(join(root, 'log.db.heads'));
    await writeFile(join(root, 'log.db'), 'not a database\n');
    await writeFile(join(root, 'log.db-wal'), 'x\n');
    const loops = new Loops({ log: memoryLog(), model: scriptedModel(writing('log.db.heads/a', 'b-wal')) });
    const run = await ended(loops, { directory: root });
    expect(await loops.undo(run)).toMatchObject({ files: [{ path: 'b-wal' }, { path: 'log.db.heads/a' }] });
  });
});
