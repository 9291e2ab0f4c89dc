import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bringChange } from '../../src/git/bring/bring-change.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { RUN } from './captured.ts';
import { repository } from './repository.ts';

const { signal } = new AbortController();

test('G10 paths that are hard links of one file are all written and removed, by one call', async () => {
  const { root, commit } = await repository({ a: '1\n', b: '1\n' });
  await commit();
  const tree = async () => {
    const captured = await captureFolder({ directory: root, run: RUN, number: null }, signal);
    return captured?.hash ?? '';
  };
  const texts = async () => {
    const names = (await readdir(root)).filter((name) => name !== '.git').toSorted();
    return Promise.all(names.map(async (name) => [name, await readFile(join(root, name), 'utf8')]));
  };
  const start = await tree();
  for (const name of ['a', 'b', 'c']) await writeFile(join(root, name), '1\n2\n');
  const end = await tree();
  for (const name of ['b', 'c']) {
    await rm(join(root, name));
    await link(join(root, 'a'), join(root, name));
  }
  const common = { run: RUN, directory: root, leaveOut: [], store: null, at: '2026-11-23T00:00:00.000Z' };
  const undone = await bringChange({ ...common, verb: 'undo', from: end, to: start, isWhole: false }, signal);
  expect(undone).toMatchObject({ kept: [], isWritten: true });
  expect(await texts()).toEqual([
    ['a', '1\n'],
    ['b', '1\n'],
  ]);
  await link(join(root, 'a'), join(root, 'elsewhere'));
  const applied = await bringChange({ ...common, verb: 'apply', from: start, to: end, isWhole: true }, signal);
  expect(applied).toMatchObject({ kept: [], isWritten: true });
  expect(await texts()).toEqual([...['a', 'b', 'c'].map((name) => [name, '1\n2\n']), ['elsewhere', '1\n']]);
});
