import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { sqliteHolds } from '../../../src/hosts/local/holds/sqlite-holds.ts';
import { noChange } from '../../../src/cli/pages/print-patch.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { stopped, tool, untilStopped } from '../../support/stand-ins.ts';

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((line) => `${line}\n`).join('');
const write = (path: string, content: string) => ({ tool: 'write', arguments: { path, content } });
type Calls = readonly ReturnType<typeof write>[];

const log = memoryLog();
const loopsThat = (calls: Calls, more: Partial<LoopsOptions> = {}) =>
  new Loops({ log, model: scriptedModel({ answers: [{ calls: [...calls] }, { text: 'done' }] }), ...more });

async function isolated(root: string, calls: Calls): Promise<string> {
  const run = await loopsThat(calls).start({ prompt: 'x', loop: 'turn', directory: root, isolate: 'worktree' });
  expect(await run.done).toMatchObject({ outcome: { ending: 'success' } });
  return run.run;
}

describe('G10 isolated runs leave the folder as it is until they are applied', () => {
  test('G10 X4 two of them are both applied, and taken out again, also where they changed the same file', async () => {
    const { root, commit } = await repository({ both: LINES, one: '1\n', two: '2\n', '.gitignore': '.loopfold\n' });
    await commit();
    await writeFile(join(root, 'mine'), 'not committed\n');
    const first = await isolated(root, [write('one', 'by the first\n'), write('both', LINES.replace('b', 'B'))]);
    const second = await isolated(root, [write('two', 'by the second\n'), write('both', LINES.replace('f', 'F'))]);
    const loops = loopsThat([]);
    const text = (path: string) => readFile(join(root, path), 'utf8');
    expect(await text('both')).toBe(LINES);
    expect(await loops.apply(first)).toMatchObject({ kind: 'done', files: [{ path: 'both' }, { path: 'one' }] });
    expect(await loops.apply(second)).toMatchObject({
      kind: 'done',
      files: [
        { path: 'both', what: 'merged' },
        { path: 'two', what: 'written' },
      ],
    });
    expect(await text('both')).toBe(LINES.replace('b', 'B').replace('f', 'F'));
    expect(await loops.apply(second)).toMatchObject({ kind: 'nothing', doneAt: expect.any(String) });
    expect(await loops.undo(first)).toMatchObject({ kind: 'done' });
    expect([await text('both'), await text('one')]).toEqual([LINES.replace('f', 'F'), '1\n']);
    expect(await loops.undo(second)).toMatchObject({ kind: 'done' });
    expect([await text('both'), await text('two'), await text('mine')]).toEqual([LINES, '2\n', 'not committed\n']);
    expect(await loops.undo(second)).toMatchObject({ kind: 'nothing' });
  });

  testInTurn('G10 X4 a run that was applied in parts is taken out whole', async () => {
    const { root, commit } = await repository({ kept: '1\n' });
    await commit();
    const begun = Promise.withResolvers<void>();
    const isAgain = { value: false };
    const slow = tool('slow', async (_input, context) => {
      if (isAgain.value) return { output: 'done' };
      isAgain.value = true;
      begun.resolve();
      await stopped(context);
      return { output: '' };
    });
    const answers = [write('one', '1\n'), { tool: 'slow', arguments: {} }, write('two', '2\n')];
    const model = scriptedModel({ answers: [...answers.map((call) => ({ calls: [call] })), { text: 'done' }] });
    const loops = loopsThat([], { model, tools: [slow] });
    const options = { prompt: 'x', loop: 'turn', directory: root, isolate: 'worktree' } as const;
    const live = await loops.start({ ...options, tools: ['write', 'slow'] });
    await begun.promise;
    await live.pause('user');
    await live.done;
    expect(await loops.apply(live.run)).toMatchObject({ kind: 'done', files: [{ path: 'one' }] });
    const again = await loops.resume(live.run);
    if (again.kind !== 'live') throw new Error(again.kind);
    await again.live.done;
    expect(await loops.apply(live.run)).toMatchObject({ kind: 'done', files: [{ path: 'two' }] });
    const both = [
      { path: 'one', what: 'removed' },
      { path: 'two', what: 'removed' },
    ];
    expect(await loops.undo(live.run)).toMatchObject({ kind: 'done', files: both });
    expect(await loops.undo(live.run)).toMatchObject({ kind: 'nothing' });
    expect(await loops.apply(live.run)).toMatchObject({ kind: 'done', files: [{ path: 'one' }, { path: 'two' }] });
  });

  testInTurn(
    'G10 X4 a continuation is applied with what it continues, as one change, and taken out again',
    async () => {
      const { root, commit, git } = await repository({ kept: '1\n', '.gitignore': '.loopfold\n' });
      await git('config', 'user.name', 'Grace');
      await git('config', 'user.email', 'grace@example.org');
      await commit();
      const attempts = ['one', 'two'].map((name) => ({
        answers: [{ calls: [write(name, '1\n')] }, { text: 'done' }],
      }));
      const loops = loopsThat([], { model: scriptedModel({ attempts }) });
      const checks = ['test -f one && test -f two'];
      const options = { prompt: 'x', directory: root, isolate: 'worktree', checks, maxIterations: 1 } as const;
      const first = await loops.start(options);
      expect(await first.done).toMatchObject({ outcome: { ending: 'cap_hit' } });
      const extended = await loops.extend(first.run, { maxIterations: 2 });
      if (extended.kind !== 'live') throw new Error(extended.kind);
      const { run, done } = extended.live;
      expect(await done).toMatchObject({ outcome: { ending: 'success' } });
      const both = [{ path: 'one' }, { path: 'two' }];
      expect(await loops.branch(run, 'both')).toMatchObject({ kind: 'made' });
      expect(await git('show', '--format=', '--name-only', 'both')).toBe('one\ntwo\n');
      expect(await loops.apply(run)).toMatchObject({ kind: 'done', files: both });
      expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: both });
      await loops.apply(first.run);
      expect(await loops.apply(run)).toMatchObject({ kind: 'done', files: [{ path: 'two' }] });
    },
  );

  testInTurn(
    'G10 X4 where both changed the same lines, the second is refused whole; its branch can be made',
    async () => {
      const { root, commit, git } = await repository({ both: LINES, '.gitignore': '.loopfold\n' });
      await git('config', 'user.name', 'Grace');
      await git('config', 'user.email', 'grace@example.org');
      await commit();
      const first = await isolated(root, [write('both', LINES.replace('b', 'B'))]);
      const second = await isolated(root, [write('both', LINES.replace('b', 'β')), write('new', 'n\n')]);
      const loops = loopsThat([]);
      await loops.apply(first);
      expect(await loops.apply(second)).toMatchObject({ kind: 'conflict', files: [], kept: [{ path: 'both' }] });
      expect(await git('status', '--porcelain')).toBe(' M both\n');
      expect(await loops.branch(second, 'second')).toMatchObject({ kind: 'made' });
      expect(await git('log', '--format=%s', 'second')).toBe('x\na commit\n');
      expect(await git('show', 'second:both')).toBe(LINES.replace('b', 'β'));
    },
  );
});

describe('G10 a branch has a name that means nothing else to git', () => {
  testInTurn.each(['HEAD', '@', '@{-1}', '@{-2}', '-x', '', 'a..b', 'a b'])('G10 %j is refused', async (name) => {
    const { root, commit, git } = await repository({ file: '1\n', '.gitignore': '.loopfold\n' });
    await commit();
    await git('switch', '--quiet', '-c', 'another');
    await git('switch', '--quiet', '-');
    const run = await isolated(root, [write('file', '2\n')]);
    const before = await git('for-each-ref', 'refs/heads');
    expect(await loopsThat([]).branch(run, name)).toMatchObject({ kind: 'bad_name' });
    expect(await git('for-each-ref', 'refs/heads')).toBe(before);
  });
});

testInTurn.each([
  ['taken/sub', 'taken'],
  ['taken', 'taken/sub'],
])('G10 a branch %s is refused beside a branch %s, with its name', async (name, other) => {
  const { root, commit, git } = await repository({ file: '1\n', '.gitignore': '.loopfold\n' });
  await commit();
  await git('branch', other);
  const run = await isolated(root, [write('file', '2\n')]);
  expect(await loopsThat([]).branch(run, name)).toMatchObject({ kind: 'beside', other });
});

testInTurn('G10 the change of a run that was started in a sub-folder becomes a branch', async () => {
  const { root, commit, git } = await repository({ 'sub/file': '1\n', file: '1\n', '.gitignore': '.loopfold\n' });
  await git('config', 'user.name', 'Grace');
  await git('config', 'user.email', 'grace@example.org');
  await commit();
  const run = await isolated(join(root, 'sub'), [write('file', '2\n')]);
  expect(await loopsThat([]).branch(run, 'changed')).toMatchObject({ kind: 'made' });
  expect(await git('show', '--format=', '--name-only', 'changed')).toBe('sub/file\n');
});

describe('G10 a change is of one run, and of a workspace that is at rest', () => {
  testInTurn('G10 while a run works in the folder it can be seen, and nothing is applied or undone there', async () => {
    const { root, write: put } = await repository({ file: '1\n' });
    const done = await loopsThat([write('file', '2\n')]).start({ prompt: 'x', loop: 'turn', directory: root });
    await done.done;
    const loops = loopsThat([], {
      model: scriptedModel({ answers: [{ calls: [{ tool: 'slow' }] }] }),
      tools: [untilStopped('slow')],
    });
    const listening = Promise.withResolvers<void>();
    const options = { prompt: 'x', loop: 'turn', directory: root, tools: ['slow'] };
    const live = await loops.start(options, (_facts, deltas) => deltas.subscribe(() => listening.resolve()));
    await listening.promise;
    await put({ file: '3\n' });
    expect(await loops.diff(live.run)).toMatchObject({
      kind: 'change',
      to: { name: 'now' },
      files: [{ path: 'file' }],
    });
    expect(await loops.undo(done.run)).toMatchObject({ kind: 'held', run: live.run, isBringing: false });
    expect(await loops.apply(live.run)).toMatchObject({ kind: 'held', run: live.run });
    await live.abort();
    await live.done;
    expect(await loops.undo(live.run)).toMatchObject({ kind: 'done' });
    expect(await loops.undo(done.run)).toMatchObject({ kind: 'done' });
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('1\n');
  });

  testInTurn('G10 G11 an undo beside another one is told of that, and not to abort a run that has ended', async () => {
    const { root } = await repository({ file: '1\n' });
    const holds = join(await temporaryFolder(), 'holds.db');
    const loops = loopsThat([write('file', '2\n')], { holds });
    const done = await loops.start({ prompt: 'x', loop: 'turn', directory: root });
    await done.done;
    const wanted = { run: done.run, workspace: root, log: 'memory:', isOver: true };
    const other = sqliteHolds(holds).take(wanted);
    if (other.kind !== 'taken') throw new Error(other.kind);
    const held = await loops.undo(done.run);
    expect(held).toMatchObject({ kind: 'held', run: done.run, isBringing: true });
    if (held.kind !== 'held') throw new Error(held.kind);
    expect(noChange('undo', held)).toMatchObject({ message: expect.stringMatching(/try again/), next: null });
    other.hold.release();
    expect(await loops.undo(done.run)).toMatchObject({ kind: 'done' });
  });

  testInTurn('G10 G11 nothing is undone under a run that is recorded in another log', async () => {
    const { root } = await repository({ file: '1\n' });
    const done = await loopsThat([write('file', '2\n')]).start({ prompt: 'x', loop: 'turn', directory: root });
    await done.done;
    const model = scriptedModel({ answers: [{ calls: [{ tool: 'slow' }] }] });
    const elsewhere = new Loops({ log: memoryLog(), model, tools: [untilStopped('slow')] });
    const options = { prompt: 'x', loop: 'turn', directory: root, tools: ['slow'] };
    const live = await elsewhere.start(options);
    expect(await loopsThat([]).undo(done.run)).toMatchObject({ kind: 'held', run: live.run });
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('2\n');
    await live.abort();
    await live.done;
    expect(await loopsThat([]).undo(done.run)).toMatchObject({ kind: 'done' });
  });

  testInTurn('G10 the changes of an attempt belong to its root, and an unknown run has none', async () => {
    const { root } = await repository({ file: '1\n' });
    const loops = loopsThat([write('file', '2\n')]);
    const run = await loops.start({ prompt: 'x', directory: root, checks: ['grep 2 file'] });
    await run.done;
    const child = (await loops.runs()).find((one) => one.root === run.run && one.run !== run.run)?.run ?? '';
    expect(await loops.diff(child)).toEqual({ kind: 'is_child', run: child, root: run.run });
    expect(await loops.undo('unknown')).toEqual({ kind: 'unknown_run', run: 'unknown' });
    expect(await loops.diff(run.run)).toMatchObject({
      files: [{ path: 'file', status: 'changed', added: 1, removed: 1 }],
    });
  });

  test('G10 what a run that only reads has changed is not known, and is said', async () => {
    const { root } = await repository({ file: '1\n' });
    const run = await loopsThat([]).start({ prompt: 'x', loop: 'turn', directory: root, tools: ['read'] });
    await run.done;
    expect(await loopsThat([]).diff(run.run)).toMatchObject({
      kind: 'no_capture',
      message: expect.stringMatching(/start/),
    });
  });
});
