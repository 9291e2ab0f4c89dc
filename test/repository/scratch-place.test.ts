import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { absent } from '../support/absent.ts';
import { memoryPlace } from '../support/memory-place.ts';
import { LEAST_FREE_BYTES, type MemoryPlace, scratchPlace } from '../support/scratch-place.ts';

const roomy: MemoryPlace = { path: '/memory', freeBytes: LEAST_FREE_BYTES, isWritable: true, startsPrograms: true };

test('the folders of tests are made in memory where there is room for them', () => {
  expect(scratchPlace({}, roomy)).toBe('/memory');
  expect(scratchPlace({ TMPDIR: '' }, roomy)).toBe('/memory');
});

test.each([
  ['has too little room', { freeBytes: LEAST_FREE_BYTES - 1 }],
  ['cannot be written', { isWritable: false }],
  ['starts no programs', { startsPrograms: false }],
])('a memory file system that %s is left alone', (_what, lacking) => {
  expect(scratchPlace({}, { ...roomy, ...lacking })).toBeNull();
});

test('a TMPDIR that the user has set is kept', () => {
  expect(scratchPlace({ TMPDIR: '/mine' }, roomy)).toBeNull();
});

test('a place that is not there offers nothing', () => {
  const path = absent();
  expect(memoryPlace(path)).toEqual({ path, freeBytes: 0, isWritable: false, startsPrograms: false });
});

test('a place is looked at as it is, and nothing stays there', () => {
  const path = mkdtempSync(join(tmpdir(), 'loopfold-place-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const { freeBytes, isWritable, startsPrograms } = memoryPlace(path);
  expect({ isWritable, startsPrograms }).toEqual({ isWritable: true, startsPrograms: true });
  expect(freeBytes).toBeGreaterThan(0);
  expect(readdirSync(path)).toEqual([]);
});

const module = JSON.stringify(join(import.meta.dirname, '../support/memory-place.ts'));
const looked = `console.log(JSON.stringify((await import(${module})).memoryPlace(process.cwd())))`;
/** Some systems let no process have mounts of its own. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test.skipIf(!canMount).each([
  ['size=1m', 2 ** 20, true, true],
  ['size=1m,noexec', 2 ** 20, true, false],
  ['size=1m,ro', 2 ** 20, false, false],
])('a file system that is mounted with %s is told by it', (options, freeBytes, isWritable, startsPrograms) => {
  const path = mkdtempSync(join(tmpdir(), 'loopfold-place-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const script = `mount -t tmpfs -o ${options} none ${path} && cd ${path} && exec "$@"`;
  const words = ['-rm', 'sh', '-c', script, 'sh', process.execPath, '--input-type=module', '--eval', looked];
  const { stdout } = spawnSync('unshare', words, { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ path, freeBytes, isWritable, startsPrograms });
});
