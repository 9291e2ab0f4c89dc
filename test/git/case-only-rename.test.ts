import type * as FileSystem from 'node:fs/promises';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { bringChange } from '../../src/git/bring/bring-change.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { RUN } from './captured.ts';
import { repository } from './repository.ts';

/** A file system that finds a file under every spelling of its name, once it is told to. */
const { folding } = vi.hoisted(() => ({ folding: { isOn: false } }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FileSystem>();
  const lstat = async (path: Buffer | string, ...options: []) => {
    const place = path.toString();
    const names = folding.isOn ? await real.readdir(dirname(place)).catch(() => []) : [];
    const found = names.find((name) => name.toLowerCase() === basename(place).toLowerCase());
    return real.lstat(found === undefined ? path : join(dirname(place), found), ...options);
  };
  return { ...real, lstat };
});

const { signal } = new AbortController();

test('G10 a rename that only changes the case of a name works where the file system ignores case', async () => {
  const { root, commit } = await repository({ 'readme.md': '1\n' });
  await commit();
  const tree = async () =>
    (await captureFolder({ directory: root, run: RUN, number: null, listsChanges: false }, signal))?.hash ?? '';
  const names = async () => (await readdir(root)).filter((name) => name !== '.git');
  const start = await tree();
  await rename(join(root, 'readme.md'), join(root, 'README.md'));
  await writeFile(join(root, 'README.md'), '2\n');
  const end = await tree();
  folding.isOn = true;
  const common = { run: RUN, directory: root, leaveOut: [], store: null, at: '2026-11-23T00:00:00.000Z' };
  const undone = await bringChange({ ...common, verb: 'undo', from: end, to: start, isWhole: false }, signal);
  expect(undone).toMatchObject({ kept: [], isWritten: true, steps: [{}, {}] });
  expect(await names()).toEqual(['readme.md']);
  expect(await readFile(join(root, 'readme.md'), 'utf8')).toBe('1\n');
  const applied = await bringChange({ ...common, verb: 'apply', from: start, to: end, isWhole: true }, signal);
  expect(applied).toMatchObject({ kept: [], isWritten: true });
  expect(await names()).toEqual(['README.md']);
});
