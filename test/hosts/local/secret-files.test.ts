import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { working } from './isolation/isolated.ts';

const MINE = 'MINE=a-secret';
const ITS = 'ITS=another-secret';
const BECAUSE = 'it looks secret, and git did not track it when the run began';

/** A run that has ended, whose tool does this to its folder. */
async function ended(root: string, work: (folder: string) => Promise<unknown>, isolate: 'none' | 'worktree') {
  const warned: string[] = [];
  const harness = working(async ({ directory }) => (await work(directory), ''), { warn: (text) => warned.push(text) });
  const live = await harness.start({ directory: root, isolate });
  const done = await live.done;
  expect(done).toMatchObject({ outcome: { ending: 'success' } });
  const change = await harness.loops().diff(live.run);
  if (change.kind !== 'change') throw new Error(change.kind);
  return { ...harness, live, change, warned, loops: harness.loops() };
}

async function withSecret(files: Readonly<Record<string, string>> = {}) {
  const made = await repository({ 'a.txt': '1', ...files });
  await made.commit();
  await made.write({ '.env': MINE });
  const objects = () => made.git('cat-file', '--batch-all-objects', '--batch');
  return { ...made, objects };
}

/** Its own secret, and what it could try to have it captured. */
async function work(folder: string): Promise<void> {
  await writeFile(join(folder, 'a.txt'), '2');
  await writeFile(join(folder, '.env.its'), ITS);
}

describe('G10 an untracked file that looks secret', () => {
  test('G10 is left out of a run, of its undo and its apply, and named', async () => {
    const { root, objects } = await withSecret();
    const { live, change, warned, loops } = await ended(root, work, 'none');
    expect(change.files.map(({ path }) => path)).toEqual(['a.txt']);
    expect(change.leftOut).toEqual([
      { path: '.env', because: BECAUSE },
      { path: '.env.its', because: BECAUSE },
    ]);
    expect(warned.join()).toContain(`not captured, so that diff, apply and undo do not have them: .env (${BECAUSE})`);
    expect(await loops.undo(live.run)).toMatchObject({ kind: 'done', files: [{ path: 'a.txt' }] });
    expect(await readFile(join(root, '.env.its'), 'utf8')).toBe(ITS);
    expect(await loops.apply(live.run)).toMatchObject({ kind: 'done', files: [{ path: 'a.txt' }] });
    expect(await objects()).not.toMatch(/MINE=|ITS=/);
  });

  testInTurn('X4 is not in a worktree, which says so, also where git converts files', async () => {
    const { root, objects, write } = await withSecret({ '.gitattributes': '*.txt text\n' });
    await write({ '.env.crlf': `${MINE}\r\n` });
    const seen: string[] = [];
    const { live, change, loops } = await ended(
      root,
      async (folder) => {
        seen.push(await git(folder, 'status', '--porcelain'));
        await access(join(folder, '.env')).then(
          () => seen.push('.env'),
          () => {},
        );
        await work(folder);
      },
      'worktree',
    );
    expect(seen).toEqual(['']);
    expect(live.warnings.join()).toContain(`Not in the worktree: .env (${BECAUSE}), .env.crlf`);
    expect(change.leftOut.map(({ path }) => path)).toEqual(['.env.its']);
    expect(await loops.apply(live.run)).toMatchObject({ kind: 'done', files: [{ path: 'a.txt' }] });
    expect(await readFile(join(root, '.env'), 'utf8')).toBe(MINE);
    await expect(access(join(root, '.env.its'))).rejects.toThrow(/ENOENT/);
    expect(await objects()).not.toMatch(/MINE=|ITS=/);
  });

  testInTurn('G10 is not replaced by an apply that brings another file of its name', async () => {
    const { root, write } = await withSecret();
    const { live, loops } = await ended(root, (folder) => writeFile(join(folder, 'dev.key'), 'a layout\n'), 'worktree');
    const key = '-----BEGIN PRIVATE KEY-----\n';
    await write({ 'dev.key': key });
    expect(await loops.apply(live.run)).toMatchObject({
      kept: [{ path: 'dev.key', because: 'a file that no capture has is there' }],
    });
    expect(await readFile(join(root, 'dev.key'), 'utf8')).toBe(key);
  });
});
