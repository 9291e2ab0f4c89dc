import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { absent } from '../../support/absent.ts';
import { touchedIn } from '../../../src/actors/proof/files-of-command.ts';

const PATHS = new Set(['package.json', 'test/sum.test.js', 'test/data/a.json', 'test/data/deep/b.json']);

async function layer(files: readonly string[], links: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'touched-'));
  for (const path of [...files, ...links]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await (links.includes(path) ? symlink(absent(), join(folder, path)) : writeFile(join(folder, path), ''));
  }
  return folder;
}

test('V4 files that a layer has were written to, whatever else it has', async () => {
  const files = ['test/sum.test.js', 'test/new.test.js', 'dist/test/sum.test.js', 'test/data/deep/b.json'];
  expect(await touchedIn(await layer(files), PATHS)).toEqual(['test/data/deep/b.json', 'test/sum.test.js']);
  expect(await touchedIn(await layer(['src/sum.js', 'node_modules/package.json']), PATHS)).toEqual([]);
  expect(await touchedIn(await layer([]), PATHS)).toEqual([]);
  expect(await touchedIn(absent(), new Set())).toEqual([]);
});

test('V4 what lies in the place of a folder hides all that was in it', async () => {
  expect(await touchedIn(await layer(['package.json'], ['test/data']), PATHS)).toEqual([
    'package.json',
    'test/data/a.json',
    'test/data/deep/b.json',
  ]);
});
