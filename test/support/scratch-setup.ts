import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { memoryPlace } from './memory-place.ts';
import { scratchPlace } from './scratch-place.ts';

const MEMORY = '/dev/shm';
const NAME = 'loopfold-tests-';
/** A run of tests makes a folder every few seconds: where none was made for so long, it was killed. */
const LEFT_AFTER_MS = 2 * 60 * 60_000;

/**
 * Puts the folders of the tests into memory, where there is room: tests make and delete tens of thousands of files,
 * and disks take longer for that than the tests for all the rest. They are gone with the run.
 */
export function setup(): void {
  const place = scratchPlace(process.env, memoryPlace(MEMORY));
  if (place === null) return;
  for (const left of leftIn(place)) rmSync(left, { recursive: true, force: true });
  const folder = mkdtempSync(join(place, NAME));
  // Also where the run is cut off, and nothing is torn down.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  process.once('SIGHUP', () => process.exit(128 + constants.signals.SIGHUP));
  // Named as systems name it: what tells temporary paths in outputs apart knows them by this name.
  process.env['TMPDIR'] = join(folder, 'tmp');
  mkdirSync(process.env['TMPDIR']);
}

/** The folders of runs that were killed. */
function leftIn(place: string): readonly string[] {
  const made = readdirSync(place)
    .filter((name) => name.startsWith(NAME))
    .map((name) => join(place, name));
  return made.filter((folder) => {
    const changed = statSync(join(folder, 'tmp'), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    return Date.now() - changed > LEFT_AFTER_MS;
  });
}
