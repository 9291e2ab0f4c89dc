import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { largeText, MAX_UNTRACKED_BYTES } from '../../src/git/capture/secret-paths.ts';
import { RUN } from './captured.ts';
import { git, repository } from './repository.ts';

const LARGE = largeText(MAX_UNTRACKED_BYTES);
const { signal } = new AbortController();

/** A file of this size that takes no space. */
async function sparse(path: string, bytes: number): Promise<void> {
  await writeFile(path, '');
  await truncate(path, bytes);
}

test('B7 an untracked file over the limit is in no capture, and is named; a tracked one is in each', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  const captured = async (number: number) => {
    const found = await captureFolder({ directory: root, run: RUN, number }, signal);
    const names = await git(root, 'ls-tree', '-r', '--name-only', found?.hash ?? '');
    return { names: names.trim().split('\n'), leftOut: found?.leftOut };
  };
  await sparse(join(root, 'data.bin'), MAX_UNTRACKED_BYTES + 1);
  await sparse(join(root, 'kept.bin'), MAX_UNTRACKED_BYTES);
  const left = { path: 'data.bin', because: LARGE };
  expect(await captured(0)).toEqual({ names: ['a.txt', 'kept.bin'], leftOut: [left] });
  await sparse(join(root, 'made.bin'), MAX_UNTRACKED_BYTES + 1);
  const made = { path: 'made.bin', because: LARGE };
  expect(await captured(1)).toEqual({ names: ['a.txt', 'kept.bin'], leftOut: [left, made] });
  await git(root, 'add', 'data.bin');
  await git(root, 'update-ref', '-d', `refs/loopfold/${RUN}/0`);
  expect((await captured(0)).names).toEqual(['a.txt', 'data.bin', 'kept.bin']);
});

test('B7 a run has a limit of its own: what is over it is out, and named with it', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  await sparse(join(root, 'data.bin'), 2049);
  await sparse(join(root, 'kept.bin'), 2048);
  for (const number of [0, 1, null] as const) {
    const captured = await captureFolder({ directory: root, run: RUN, number, captureLimit: 2048 }, signal);
    expect(captured?.leftOut).toEqual([{ path: 'data.bin', because: largeText(2048) }]);
    const names = await git(root, 'ls-tree', '-r', '--name-only', captured?.hash ?? '');
    expect(names).toBe('a.txt\nkept.bin\n');
  }
});
