import { cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { broughtSummary } from '../../../../src/cli/pages/print-brought.ts';
import type { BroughtChange } from '../../../../src/app/changes/apply-change.ts';
import { collectGarbage } from '../../../../src/app/isolation/garbage.ts';
import { LEAVING_MS } from '../../../../src/app/isolation/leftover.ts';
import type { Log } from '../../../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { git, repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { resumed } from '../office.ts';
import { leftPaused, textIn, working, worktreesOf } from './isolated.ts';

const later = () => ({ now: Date.now() + LEAVING_MS });

/** A project with its log at the default place, and a run that was left paused in its worktree. */
async function projectWithRun() {
  const { root, commit } = await repository({ 'a.txt': '1\n', '.gitignore': '.loopfold\n' });
  await commit();
  await mkdir(join(root, '.loopfold'), { recursive: true });
  const log = openSqliteLog(join(root, '.loopfold/log.db'));
  const { live } = await leftPaused(root, {
    log,
    work: async ({ directory }) => writeFile(join(directory, 'b.txt'), 'b'),
  });
  await log.close();
  return { root, run: live.run, elsewhere: join(await temporaryFolder(), 'project') };
}

/** What a process does with the log of a project. */
async function withLog<T>(root: string, work: (log: Log) => Promise<T>): Promise<T> {
  const log = openSqliteLog(join(root, '.loopfold/log.db'));
  return work(log).finally(() => log.close());
}

testInTurn('X4 a project that was moved loses no worktree of a run that can be resumed', async () => {
  const { root, run, elsewhere } = await projectWithRun();
  await rename(root, elsewhere);
  const kept = [{ run, verdict: { kind: 'keep', because: 'its run can be resumed' } }];
  expect(await withLog(elsewhere, (log) => collectGarbage(log, elsewhere, later()))).toMatchObject({ kept });
  // Asked with another log, or none: the log beside the worktree has the run.
  expect(await collectGarbage(memoryLog(), elsewhere, later())).toMatchObject({ kept });
  expect(await collectGarbage(null, elsewhere, later())).toMatchObject({ kept });
  await (
    await working(async () => '').isolated(elsewhere)
  ).done;
  expect(await worktreesOf(elsewhere)).toEqual([run, `${run}.index`, `${run}.json`]);
});

testInTurn(
  'X4 in a moved project, a run that was ended is captured in its repository before its worktree goes',
  async () => {
    const { root, run, elsewhere } = await projectWithRun();
    await rename(root, elsewhere);
    await git(elsewhere, 'update-ref', '-d', `refs/loopfold/${run}/end`);
    await withLog(elsewhere, async (log) => {
      await working(async () => '', { log })
        .loops()
        .abort(run);
      await collectGarbage(log, elsewhere, later());
    });
    expect(await worktreesOf(elsewhere)).toEqual([]);
    expect(await git(elsewhere, 'cat-file', 'blob', `refs/loopfold/${run}/end:b.txt`)).toBe('b');
  },
);

testInTurn('X4 the worktree of a copied project is captured in the copy, not in the first one', async () => {
  const { root, run, elsewhere } = await projectWithRun();
  await cp(root, elsewhere, { recursive: true });
  for (const one of [root, elsewhere]) await git(one, 'update-ref', '-d', `refs/loopfold/${run}/end`);
  await withLog(elsewhere, async (log) => {
    await working(async () => '', { log })
      .loops()
      .abort(run);
    await collectGarbage(log, elsewhere, later());
  });
  const ends = (folder: string) => git(folder, 'for-each-ref', '--format=%(refname)', `refs/loopfold/${run}/end`);
  expect(await ends(elsewhere)).toBe(`refs/loopfold/${run}/end\n`);
  expect(await ends(root)).toBe('');
  expect(await worktreesOf(root)).toContain(run);
});

test('X4 the change of a run of a moved project is shown, and brought into the project where it is now', async () => {
  const { root, run, elsewhere } = await projectWithRun();
  await rename(root, elsewhere);
  await withLog(elsewhere, async (log) => {
    const loops = working(async () => '', { log }).loops();
    expect(await loops.diff(run)).toMatchObject({ files: [{ path: 'b.txt', status: 'added' }] });
    expect(await loops.apply(run)).toMatchObject({ kind: 'done', workspace: elsewhere });
  });
  expect(await textIn(elsewhere, 'b.txt')).toBe('b');
});

testInTurn('X4 in a copied project, apply and undo write into the copy alone and say so', async () => {
  const { root, run, elsewhere } = await projectWithRun();
  await cp(root, elsewhere, { recursive: true });
  await withLog(elsewhere, async (log) => {
    const loops = working(async () => '', { log }).loops();
    const applied = await loops.apply(run);
    expect(applied).toMatchObject({ kind: 'done', workspace: elsewhere, given: root });
    expect(broughtSummary('apply', applied as BroughtChange, false)[0]).toContain(
      `was started in ${root}: the project`,
    );
    expect(await textIn(elsewhere, 'b.txt')).toBe('b');
    expect(await readdir(root)).not.toContain('b.txt');
    // What was done in the copy is recorded there.
    await withLog(root, async (first) => {
      const here = working(async () => '', { log: first }).loops();
      expect(await here.apply(run)).toMatchObject({ kind: 'done', workspace: root, given: root, doneAt: null });
    });
    expect(await loops.undo(run)).toMatchObject({ kind: 'done', workspace: elsewhere });
  });
  expect(await readdir(elsewhere)).not.toContain('b.txt');
  expect(await textIn(root, 'b.txt')).toBe('b');
});

testInTurn(
  'G10 in a copied project, the change of a run without a worktree is taken out of the copy alone',
  async () => {
    const { root, commit } = await repository({ 'sub/a.txt': '1\n', '.gitignore': '.loopfold\n' });
    await commit();
    await mkdir(join(root, '.loopfold'));
    const work = async ({ directory }: { directory: string }) => (await writeFile(join(directory, 'b.txt'), 'b'), '');
    const run = await withLog(root, async (log) => {
      const live = await working(work, { log }).start({ directory: join(root, 'sub') });
      await live.done;
      return live.run;
    });
    const elsewhere = join(await temporaryFolder(), 'project');
    await cp(root, elsewhere, { recursive: true });
    await withLog(elsewhere, async (log) => {
      const undone = await working(work, { log }).loops().undo(run);
      expect(undone).toMatchObject({ kind: 'done', workspace: join(elsewhere, 'sub'), given: join(root, 'sub') });
    });
    expect(await readdir(join(elsewhere, 'sub'))).toEqual(['a.txt']);
    expect(await readdir(join(root, 'sub'))).toEqual(['a.txt', 'b.txt']);
  },
);

testInTurn('X4 the change of a linked worktree is not brought into a copy of the project', async () => {
  const { root, commit, git: inRoot } = await repository({ 'a.txt': '1\n', '.gitignore': '.loopfold\n' });
  await commit();
  const linked = join(await temporaryFolder(), 'linked');
  await inRoot('worktree', 'add', '--quiet', linked);
  await mkdir(join(root, '.loopfold'));
  const work = async ({ directory }: { directory: string }) => (await writeFile(join(directory, 'b.txt'), 'b'), '');
  const run = await withLog(root, async (log) => {
    const live = await working(work, { log }).isolated(linked);
    await live.done;
    return live.run;
  });
  const elsewhere = join(await temporaryFolder(), 'project');
  await cp(root, elsewhere, { recursive: true });
  await withLog(elsewhere, async (log) => {
    const message = expect.stringContaining(`loopfold apply ${run} -C ${linked}`);
    expect(await working(work, { log }).loops().apply(run)).toMatchObject({ kind: 'no_capture', message });
  });
  await withLog(root, async (log) => {
    expect(await working(work, { log }).loops().apply(run)).toMatchObject({ kind: 'done', workspace: linked });
  });
});

testInTurn('X4 a run of a moved project says how to resume it, and is resumed that way', async () => {
  const { root, run, elsewhere } = await projectWithRun();
  await rename(root, elsewhere);
  await withLog(elsewhere, async (log) => {
    const loops = working(async () => '', { log }).loops();
    await expect(loops.resume(run)).rejects.toThrow(`ln -s NEW_PLACE ${root}`);
    await symlink(elsewhere, root);
    expect(await (await resumed(loops, run)).done).toMatchObject({ outcome: { ending: 'success' } });
    await rm(root);
  });
  expect(await git(elsewhere, 'cat-file', 'blob', `refs/loopfold/${run}/end:b.txt`)).toBe('b');
});

testInTurn('X4 the change of a run that was given a linked worktree is known after that was removed', async () => {
  const { commit, git: inRoot } = await repository({ 'a.txt': '1\n' });
  await commit();
  await inRoot('config', 'user.name', 'Grace');
  await inRoot('config', 'user.email', 'grace@example.org');
  const linked = join(await temporaryFolder(), 'linked');
  await inRoot('worktree', 'add', '--quiet', linked);
  const work = async ({ directory }: { directory: string }) => (await writeFile(join(directory, 'b.txt'), 'b'), '');
  const { isolated, loops } = working(work);
  const { run, done } = await isolated(linked);
  await done;
  await inRoot('worktree', 'remove', '--force', linked);
  expect(await loops().diff(run)).toMatchObject({ files: [{ path: 'b.txt', status: 'added' }] });
  const message = expect.stringMatching(/linked, which its change belongs to, is not there .* apply --branch NAME/);
  expect(await loops().apply(run)).toMatchObject({ kind: 'no_capture', message });
  expect(await loops().branch(run, 'taken')).toMatchObject({ kind: 'made' });
});
