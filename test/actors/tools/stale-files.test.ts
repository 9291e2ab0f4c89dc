import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calling, completed, containing, failed, workspace } from './workspace.ts';

const told = [failed('file_changed', containing('a.txt: it has changed since you last saw it'))];
const written = [completed('a.txt: 4 bytes written')];
const call = { path: 'a.txt', content: 'mine' };

test('a file that another process changed since it was read is not replaced until it is read again', async () => {
  const { directory, read } = await workspace({ 'a.txt': 'old' });
  const as = { id: 'stale-1/3/0' };
  await calling(directory, 'read', { path: 'a.txt' }, as);
  await writeFile(join(directory, 'a.txt'), 'theirs');
  expect(await calling(directory, 'write', call, as)).toEqual(told);
  expect(await read('a.txt')).toBe('theirs');
  await calling(directory, 'read', { path: 'a.txt' }, as);
  expect(await calling(directory, 'write', call, as)).toEqual(written);
});

test('nor one that was changed since it was written or edited', async () => {
  const { directory } = await workspace({ 'a.txt': 'old' });
  const as = { id: 'stale-2/3/0' };
  await calling(directory, 'write', { path: 'a.txt', content: 'first' }, as);
  expect(await calling(directory, 'write', call, as)).toEqual(written);
  await calling(directory, 'edit', { path: 'a.txt', oldText: 'mine', newText: 'ours' }, as);
  await writeFile(join(directory, 'a.txt'), 'theirs');
  expect(await calling(directory, 'write', call, as)).toEqual(told);
});

test('one that this run has never seen, or that is gone, may be written', async () => {
  const { directory } = await workspace({ 'a.txt': 'old' });
  const as = { id: 'stale-3/3/0' };
  await calling(directory, 'read', { path: 'a.txt' }, { id: 'stale-4/3/0' });
  await writeFile(join(directory, 'a.txt'), 'theirs');
  expect(await calling(directory, 'write', call, as)).toEqual(written);
  await rm(join(directory, 'a.txt'));
  expect(await calling(directory, 'write', call, as)).toEqual(written);
});
