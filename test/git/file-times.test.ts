import { lstat, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { earliestFileTime } from '../../src/git/workspace-path.ts';
import { repository, temporaryFolder } from './repository.ts';

afterEach(() => void vi.restoreAllMocks());

/** A folder on a file system whose clock is behind that of this process. */
function behind(ms: number): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
}

test.each([0, 60_000])('X4 a file that is written now is not too old, on a system %i ms behind', async (ms) => {
  const { root } = await repository();
  behind(ms);
  const since = Date.now();
  await writeFile(join(root, 'file'), '');
  const earliest = await earliestFileTime(since, { directory: root });
  vi.restoreAllMocks();
  const { ctimeMs } = await lstat(join(root, 'file'));
  expect(earliest).toBeLessThanOrEqual(ctimeMs);
  expect(await readdir(join(root, '.git'))).not.toContainEqual(expect.stringContaining('loopfold'));
});

test('X4 a file system ahead makes no file too old either', async () => {
  const { root } = await repository();
  behind(-60_000);
  const since = Date.now();
  expect(await earliestFileTime(since, { directory: root })).toBe(since - 10);
});

test('X4 outside git only the tick of the kernel counts', async () => {
  expect(await earliestFileTime(1_000, { directory: await temporaryFolder() })).toBe(990);
});
