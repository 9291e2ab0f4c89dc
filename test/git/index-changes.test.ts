import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HASH_BYTES, indexChanges } from '../../src/git/capture/index-entries.ts';
import { repository } from './repository.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');
/** Longer than what the flags of an entry can say. */
const LONG_NAME = `d/${'long/'.repeat(900)}name`;

test('V3 given two indexes, when compared, then each file that git has written since is found', async () => {
  for (const format of ['sha1', 'sha256']) {
    const files = { 'a.txt': '1', 'b.txt': '2', 'c/d.txt': '3', 'e.txt': '4' };
    const { root, git } = await repository(files, [`--object-format=${format}`]);
    const bytes = HASH_BYTES[format] ?? 0;
    const index = () => readFile(join(root, '.git/index'));
    await Promise.all(Object.keys(files).map((name) => utimes(join(root, name), LONG_AGO, LONG_AGO)));
    await git('add', '--all');
    const blob = (await git('rev-parse', ':a.txt')).trim();
    await git('update-index', '--add', '--cacheinfo', `100644,${blob},${LONG_NAME}`);
    const before = await index();
    expect([...indexChanges(null, before, bytes).keys()]).toEqual(['a.txt', 'b.txt', 'c/d.txt', LONG_NAME, 'e.txt']);
    expect(indexChanges(null, before, bytes).get('a.txt')).toEqual({ mode: '100644', hash: blob });
    expect(indexChanges(before, before, bytes)).toEqual(new Map());
    // The same content, which was written again.
    await writeFile(join(root, 'b.txt'), '2');
    await writeFile(join(root, 'new.txt'), '1');
    await rm(join(root, 'c/d.txt'));
    await git('add', '--all', '--', 'b.txt', 'new.txt', 'c');
    await git('update-index', '--chmod=+x', 'e.txt');
    const after = await index();
    expect([...indexChanges(before, after, bytes)]).toEqual([
      ['b.txt', { mode: '100644', hash: (await git('rev-parse', ':b.txt')).trim() }],
      ['c/d.txt', null],
      ['e.txt', { mode: '100755', hash: (await git('rev-parse', ':e.txt')).trim() }],
      ['new.txt', { mode: '100644', hash: blob }],
    ]);
    expect([...indexChanges(after, null, bytes).values()]).toEqual(Array.from({ length: 5 }, () => null));
  }
});
