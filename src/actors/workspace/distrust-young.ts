import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { HASH_BYTES, indexPlaces, isKnownIndex, STAT_BYTES } from './index-entries.ts';

// Git compares times in whole seconds. A file that is written again in the second in which it was read, with its size
// and its time put back, looks to it as it did. What only the system sets, the time of the last change of the inode,
// tells such files: those that were young when the index was written are read again by the next capture.

/** The clock of files is behind that of this process by up to a tick of the kernel, at 100 ticks a second. */
const MAX_TICK_MS = 10;

const TIMES_BYTES = 16;
const SIZE_AT = 36;

/**
 * Has git forget what it knows of the files of an index that changed since a time, in ms since 1970, or later: it then
 * reads them. Returns false, and leaves it, where it is in a form that this does not know.
 */
export async function distrustYoung(index: string, since: number, format: string): Promise<boolean> {
  const bytes = await readFile(index);
  const hashBytes = HASH_BYTES[format];
  if (hashBytes === undefined || !isKnownIndex(bytes)) return false;
  const second = Math.floor((since - MAX_TICK_MS) / 1000);
  let isAny = false;
  for (const { start } of indexPlaces(bytes, hashBytes)) {
    if (bytes.readUInt32BE(start) < second) continue;
    bytes.fill(0, start, start + TIMES_BYTES).fill(0, start + SIZE_AT, start + STAT_BYTES);
    isAny = true;
  }
  if (!isAny) return true;
  const end = bytes.length - hashBytes;
  createHash(format).update(bytes.subarray(0, end)).digest().copy(bytes, end);
  await writeFile(index, bytes);
  return true;
}
