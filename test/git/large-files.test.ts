import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bringChange } from '../../src/git/bring/bring-change.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { RUN } from './captured.ts';
import { repository } from './repository.ts';

const { signal } = new AbortController();
/** More than git may print. */
const large = (last: string) => Buffer.concat([Buffer.alloc(65 * 1024 * 1024), Buffer.from(last)]);

test('G10 a file that is too large to be merged stays, and force takes it', async () => {
  const { root, commit } = await repository({ large: '1', small: '1' });
  await commit();
  const tree = async () =>
    (await captureFolder({ directory: root, run: RUN, number: null, listsChanges: false }, signal))?.hash ?? '';
  const to = await tree();
  await writeFile(join(root, 'large'), large('2'));
  await writeFile(join(root, 'small'), '2');
  const from = await tree();
  const since = large('3');
  await writeFile(join(root, 'large'), since);
  const asked = { run: RUN, directory: root, leaveOut: [], store: null, at: '2026-11-23T00:00:00.000Z', from, to };
  const undo = (force: boolean) => bringChange({ ...asked, verb: 'undo', isWhole: false, force }, signal);
  const because = 'it was changed since, and is too large to be merged';
  expect(await undo(false)).toMatchObject({ steps: [{ path: 'small' }], kept: [{ path: 'large', because }] });
  expect(since.equals(await readFile(join(root, 'large')))).toBe(true);
  expect(await undo(true)).toMatchObject({ steps: [{ path: 'large' }], kept: [] });
  expect(await readFile(join(root, 'large'), 'utf8')).toBe('1');
});
