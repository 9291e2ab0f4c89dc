import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { distrustYoung } from '../../src/git/capture/index-copy.ts';
import { testInTurn } from '../support/in-turn.ts';
import { repository } from './repository.ts';

const SECOND_MS = 1_000;
/** Git says so of what it knows nothing of, and else when the inode changed. */
const FORGOTTEN = 'ctime: 0:0';

describe.each(['sha1', 'sha256'])('L9 an index forgets the files that changed since, with %s', (format) => {
  /** Names of each length that is aligned differently, and one with flags of its own. */
  async function written(waits = false) {
    const { root, git, write } = await repository({ old: '1', 'd/old2': '2' }, [`--object-format=${format}`]);
    // Git knows whole seconds.
    if (waits) await setTimeout(SECOND_MS + SECOND_MS / 10 - (Date.now() % SECOND_MS));
    const since = Date.now();
    await write(Object.fromEntries(Array.from({ length: 9 }, (_one, index) => [`new${'-'.repeat(index)}`, 'new'])));
    await write({ planned: 'later' });
    await git('add', 'old', 'd');
    await git('add', 'new*');
    await git('add', '--intent-to-add', 'planned');
    const index = join(root, '.git', 'copy');
    await copyFile(join(root, '.git', 'index'), index);
    const known = async () => {
      const listed = await git('-c', 'core.quotePath=false', 'ls-files', '--debug');
      return [...listed.matchAll(/^(\S+)\n {2}(ctime: \d+:\d+)/gm)].map(([, name, time]) => ({ name, time }));
    };
    return { root, git, since, index: join(root, '.git', 'index'), known };
  }

  testInTurn('L9 and keeps what it knows of the others', async () => {
    const { root, git, since, index, known } = await written(true);
    const before = await known();
    const entries = await git('ls-files', '--stage');
    expect(await distrustYoung(index, since, format)).toBe(true);
    expect(await git('ls-files', '--stage')).toBe(entries);
    const young = (await known()).filter(({ name, time }) => name !== 'planned' && time === FORGOTTEN);
    expect(young.map(({ name }) => name)).toEqual(
      before.map(({ name }) => name).filter((name) => name?.startsWith('new')),
    );
    const { ctimeMs } = await stat(join(root, 'old'));
    expect(Math.floor(ctimeMs / SECOND_MS)).toBeLessThan(Math.floor(since / SECOND_MS));
  });

  test('L9 and stays as it is, byte for byte, where nothing did', async () => {
    const { index, known } = await written();
    const before = await known();
    expect(await distrustYoung(index, Date.now() + 2 * SECOND_MS, format)).toBe(true);
    expect(await known()).toEqual(before);
  });

  test('L9 and is not gone on from in a form that is not known', async () => {
    const { git, index, since } = await written();
    await git('update-index', '--index-version', '4');
    expect(await distrustYoung(index, since, format)).toBe(false);
    expect(await distrustYoung(index, since, 'sha3')).toBe(false);
  });
});
