import { mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { captureFolder } from '../../../../src/git/capture/capture-folder.ts';
import { collectGarbage } from '../../../../src/app/isolation/garbage.ts';
import { DAMAGED_RECORD_KEPT_MS, LEAVING_MS } from '../../../../src/app/isolation/leftover.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { resumed } from '../office.ts';
import { leftPaused, textIn, working, worktreesOf } from './isolated.ts';

const work = async ({ directory }: { directory: string }) => writeFile(join(directory, 'b.txt'), 'hours');

async function committed(files: Readonly<Record<string, string>> = { 'a.txt': '1' }) {
  const made = await repository(files);
  await made.commit();
  return { ...made, topOf: (run: string) => join(made.root, '.loopfold/worktrees', run) };
}

/** Makes a folder look as if no file in it had been made for long. */
async function aged(top: string): Promise<void> {
  const at = new Date(Date.now() - DAMAGED_RECORD_KEPT_MS - 60_000);
  await utimes(top, at, at);
}

testInTurn.each<[how: string, damage: (record: string) => Promise<void>]>([
  ['is empty after a power cut', (record) => writeFile(record, '')],
  [
    'has a field of a newer version',
    async (record) => writeFile(record, JSON.stringify({ ...JSON.parse(await readFile(record, 'utf8')), newer: 1 })),
  ],
  ['is gone', (record) => rm(record)],
  ['cannot be opened as a file', async (record) => (await rm(record), await mkdir(record))],
])('X4 the worktree of a run that can be resumed is kept where its record %s', async (_how, damage) => {
  const { root, topOf } = await committed();
  const { live, log, loops } = await leftPaused(root, { work });
  const top = topOf(live.run);
  await damage(`${top}.json`);
  await aged(top);
  const kept = { run: live.run, verdict: { because: 'its run can be resumed' } };
  expect(await collectGarbage(log, root)).toMatchObject({ removed: [], kept: [kept] });
  // Another log does not have the run, which says nothing: the one that has it may be anywhere.
  expect(await collectGarbage(memoryLog(), root)).toMatchObject({ removed: [], kept: [{ run: live.run }] });
  await working(async () => '')
    .isolated(root)
    .then(({ done }) => done);
  expect(await textIn(top, 'b.txt')).toBe('hours');
  await rm(`${top}.json`, { recursive: true, force: true });
  expect(await (await resumed(loops(), live.run)).done).toMatchObject({ outcome: { ending: 'success' } });
});

test('X4 a capture in a worktree without a record fails: its own repository goes with it', async () => {
  const { root, topOf } = await committed();
  const { live } = await leftPaused(root, { work });
  const top = topOf(live.run);
  await rm(`${top}.json`);
  const { signal } = new AbortController();
  const input = { directory: top, run: live.run, number: 'end', listsChanges: false } as const;
  await expect(captureFolder(input, signal)).rejects.toThrow(/its record \S+ is not there any more/);
  await writeFile(`${top}.json`, '{}');
  await expect(captureFolder(input, signal)).rejects.toThrow(/cannot be read: it is no record of this version/);
});

testInTurn('X4 a run that removes its own record is captured in the project all the same', async () => {
  const { root, filesOf } = await committed();
  const { isolated } = working(async (context) => {
    await work(context);
    await rm(`${context.directory}.json`);
    return '';
  });
  const { run, done } = await isolated(root);
  await done;
  expect(await filesOf(`refs/loopfold/${run}/end`)).toEqual({ 'a.txt': '1', 'b.txt': 'hours' });
  expect(await worktreesOf(root)).toEqual([]);
});

testInTurn('X4 gc makes the record of an ended run again, and captures its worktree before it removes it', async () => {
  const { root, git, filesOf, topOf } = await committed();
  const { live, log, loops } = await leftPaused(root, { work });
  await loops().abort(live.run);
  await git('update-ref', '-d', `refs/loopfold/${live.run}/end`);
  await rm(`${topOf(live.run)}.json`);
  const { removed } = await collectGarbage(log, root, { now: Date.now() + LEAVING_MS });
  expect(removed).toMatchObject([{ run: live.run, verdict: { because: 'its run has ended' } }]);
  expect(await filesOf(`refs/loopfold/${live.run}/end`)).toEqual({ 'a.txt': '1', 'b.txt': 'hours' });
  expect(await worktreesOf(root)).toEqual([]);
});

test.each(['nothing', 'a link'])(
  'X4 %s in place of the worktree of a run is not called its kept worktree',
  async (what) => {
    const { root, topOf } = await committed();
    const warned: string[] = [];
    const { isolated } = working(
      async (context) => {
        await work(context);
        await rename(context.directory, `${context.directory}.moved`);
        if (what === 'a link') await symlink(`${context.directory}.moved`, context.directory);
        return '';
      },
      { warn: (message) => warned.push(message) },
    );
    const { run, done } = await isolated(root);
    await done;
    const said = warned.find((one) => one.includes('could not be captured')) ?? '';
    expect(said).toContain(`Its worktree ${topOf(run)} is not there any more`);
    expect(said).not.toContain('is kept');
  },
);

testInTurn.each(['', 'pkg'])(
  'X4 a run in %j whose project loses its git directory keeps its worktree',
  async (inside) => {
    const { root, topOf, filesOf } = await committed({ 'pkg/a.txt': '1' });
    const warned: string[] = [];
    const { isolated, log } = working(
      async (context) => {
        await work(context);
        await rename(join(root, '.git'), join(root, '.moved'));
        return '';
      },
      { warn: (message) => warned.push(message) },
    );
    const { run, done } = await isolated(join(root, inside));
    await done;
    expect(warned).toEqual([expect.stringMatching(/could not be captured.*Its worktree is kept/)]);
    expect(await textIn(join(topOf(run), inside), 'b.txt')).toBe('hours');
    await rename(join(root, '.moved'), join(root, '.git'));
    expect(await collectGarbage(log, root, { now: Date.now() + LEAVING_MS })).toMatchObject({ removed: [{ run }] });
    expect(await filesOf(`refs/loopfold/${run}/end`)).toMatchObject({ [join(inside, 'b.txt')]: 'hours' });
  },
);

test('X4 a run that has its own folder ignored is captured', async () => {
  // Git ignores no folder with a file that it tracks.
  const { root, filesOf, write } = await committed({ 'a.txt': '1' });
  await write({ 'pkg/a.txt': '1' });
  const { isolated } = working(async (context) => {
    await work(context);
    await writeFile(join(context.directory, '../.gitignore'), 'pkg\n');
    return '';
  });
  const { run, done } = await isolated(join(root, 'pkg'));
  await done;
  expect(await filesOf(`refs/loopfold/${run}/end`)).toMatchObject({ 'pkg/b.txt': 'hours' });
  expect(await worktreesOf(root)).toEqual([]);
});
