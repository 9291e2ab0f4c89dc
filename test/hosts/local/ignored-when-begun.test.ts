import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { git, repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { working } from './isolation/isolated.ts';

type Work = (root: string) => Promise<unknown>;

/** A repository that ignores `.env` and `node_modules`, which are there, and a file that it does not track. */
async function withIgnored() {
  const made = await repository({ '.gitignore': '.env\nnode_modules\n', 'a.txt': '1' });
  await made.commit();
  const mine = { '.env': 'SECRET=1', 'node_modules/dep/index.js': 'dep', 'notes.txt': 'mine' };
  await made.write(mine);
  const there = async () => {
    const found: Record<string, string> = {};
    for (const path of Object.keys(mine)) found[path] = await readFile(join(made.root, path), 'utf8').catch(() => '');
    return found;
  };
  return { ...made, mine, there };
}

/** A run in the folder itself that has ended. */
async function ended(root: string, work: Work, options: Partial<LoopsOptions> = {}) {
  const warned: string[] = [];
  const harness = working(async ({ directory }) => (await work(directory), ''), {
    warn: (message) => warned.push(message),
    ...options,
  });
  const { run, done } = await harness.start({ directory: root });
  expect(await done).toMatchObject({ outcome: { ending: 'success' } });
  const change = await harness.loops().diff(run);
  if (change.kind !== 'change') throw new Error(change.kind);
  const files = change.files.map(({ status, path }) => `${status} ${path}`);
  return { run, files, leftOut: change.leftOut, warned, loops: harness.loops() };
}

const MAKES_NOTHING_IGNORED: Work = (root) => writeFile(join(root, '.gitignore'), '');

describe('G10 what git ignored when a run began decides what its captures leave out', () => {
  testInTurn.each([
    ['rewrites .gitignore', MAKES_NOTHING_IGNORED],
    ['removes .gitignore', (root: string) => rm(join(root, '.gitignore'))],
    [
      'rewrites .gitignore and commits everything',
      async (root: string) => {
        await MAKES_NOTHING_IGNORED(root);
        await git(root, 'add', '--all');
        await git(root, 'commit', '--quiet', '--message=all');
      },
    ],
  ])('G10 a run that %s adds no file that was there, and undo removes none', async (_how, work) => {
    const { root, mine, there } = await withIgnored();
    const { run, files, leftOut, warned, loops } = await ended(root, work);
    expect(files).toEqual([expect.stringMatching(/ \.gitignore$/)]);
    expect(leftOut.map(({ path }) => path)).toContain('.env');
    expect(warned).toEqual([expect.stringMatching(/^not captured.*\.env \(git ignored it when the run began\)/)]);
    expect(await loops.undo(run)).toMatchObject({ kind: 'done', files: [{ path: '.gitignore' }] });
    expect(await there()).toEqual(mine);
    expect(await readFile(join(root, '.gitignore'), 'utf8')).toBe('.env\nnode_modules\n');
  });

  testInTurn('G10 the content of an ignored file that a run reveals is in no object of git', async () => {
    const { root, git: ask } = await withIgnored();
    await ended(root, MAKES_NOTHING_IGNORED);
    const objects = await ask('cat-file', '--batch-all-objects', '--batch');
    expect(objects).toContain('mine');
    expect(objects).not.toContain('SECRET=1');
  });

  test('G10 a tracked file that is ignored stays in, also when the run makes git forget it', async () => {
    const { root, git: ask } = await withIgnored();
    await ask('add', '--force', '.env');
    const { files } = await ended(root, async (folder) => {
      await git(folder, 'rm', '--quiet', '--cached', '.env');
      await writeFile(join(folder, '.gitignore'), '.env\nnode_modules\n# more\n');
    });
    expect(files).toEqual(['changed .gitignore']);
  });

  testInTurn(
    'G10 a file that a run has git ignore is not removed, neither by undo nor by an apply after it',
    async () => {
      const { root, mine, there } = await withIgnored();
      const { run, files, loops } = await ended(root, (folder) =>
        writeFile(join(folder, '.gitignore'), '.env\nnode_modules\nnotes.txt\n'),
      );
      expect(files).toEqual(['changed .gitignore']);
      expect(await loops.undo(run)).toMatchObject({ kind: 'done' });
      expect(await loops.apply(run)).toMatchObject({ kind: 'done' });
      expect(await there()).toEqual(mine);
    },
  );

  testInTurn('G10 files that a run makes and has git ignore are in its change, and undone', async () => {
    const { root, mine, there } = await withIgnored();
    const { run, files, leftOut, loops } = await ended(root, async (folder) => {
      await writeFile(join(folder, '.gitignore'), '.env\nnode_modules\ndist\nmany\n');
      for (const name of ['dist', 'many', '.cache']) await mkdir(join(folder, name));
      await writeFile(join(folder, 'dist/a.js'), 'built');
      for (let at = 0; at <= 1_000; at++) await writeFile(join(folder, `many/${at}`), '');
      await writeFile(join(folder, '.cache/.gitignore'), '*\n');
      await writeFile(join(folder, '.cache/entry'), 'x');
    });
    expect(files).toEqual(['changed .gitignore', 'added dist/a.js']);
    expect(leftOut).toEqual([
      { path: '.cache/', because: expect.stringContaining('its own .gitignore') },
      { path: 'many/', because: expect.stringContaining('1000 files') },
    ]);
    expect(await loops.undo(run)).toMatchObject({
      kind: 'done',
      files: [{ path: '.gitignore' }, { path: 'dist/a.js' }],
    });
    expect(await there()).toEqual(mine);
    expect(await readFile(join(root, 'many/1'), 'utf8')).toBe('');
  });

  testInTurn('G10 a continuation keeps the rules of the run it continues', async () => {
    const { root, mine, there } = await withIgnored();
    const works = [MAKES_NOTHING_IGNORED, (folder: string) => writeFile(join(folder, 'a.txt'), '2')];
    const harness = working(async ({ directory }) => (await works.shift()?.(directory), ''), { warn: () => {} });
    const first = await harness.start({ directory: root, loop: 'turn', maxSteps: 1 });
    await first.done;
    const extended = await harness.loops().extend(first.run, { maxSteps: 3 });
    if (extended.kind !== 'live') throw new Error(extended.kind);
    await extended.live.done;
    expect(await harness.loops().diff(extended.live.run)).toMatchObject({ files: [] });
    expect(await harness.loops().undo(extended.live.run)).toMatchObject({ paths: 0 });
    expect(await there()).toEqual(mine);
  });
});
