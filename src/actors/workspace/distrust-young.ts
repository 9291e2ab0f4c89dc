import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

// Git compares times in whole seconds. A file that is written again in the second in which it was read, with its size
// and its time put back, looks to it as it did. What only the system sets, the time of the last change of the inode,
// tells such files: those that were young when the index was written are read again by the next capture.

/** The clock of files is behind that of this process by up to a tick of the kernel, at 100 ticks a second. */
const MAX_TICK_MS = 10;

/** `DIRC`, the version, and the number of entries. */
const VERSION_AT = 4;
const COUNT_AT = 8;
const HEADER_BYTES = 12;
/** Git writes the fourth only where it is told to. */
const VERSIONS = new Set([2, 3]);
const HASH_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32 };
/** Of an entry, before its hash: the time of the inode's last change, that of its content, mode and owner, the size. */
const STAT_BYTES = 40;
const TIMES_BYTES = 16;
const SIZE_AT = 36;
const FLAGS_BYTES = 2;
const HAS_MORE_FLAGS = 0x40_00;
/** An entry ends with one to eight bytes of 0, at a multiple of this from where it began. */
const ALIGNED_TO_BYTES = 8;

/**
 * Has git forget what it knows of the files of an index that changed since a time, in ms since 1970, or later: it then
 * reads them. Returns false, and leaves it, where it is in a form that this does not know.
 */
export async function distrustYoung(index: string, since: number, format: string): Promise<boolean> {
  const bytes = await readFile(index);
  const hashBytes = HASH_BYTES[format];
  if (hashBytes === undefined || !VERSIONS.has(bytes.readUInt32BE(VERSION_AT))) return false;
  const second = Math.floor((since - MAX_TICK_MS) / 1000);
  let isAny = false;
  for (const entry of entriesOf(bytes, STAT_BYTES + hashBytes)) {
    if (bytes.readUInt32BE(entry) < second) continue;
    bytes.fill(0, entry, entry + TIMES_BYTES).fill(0, entry + SIZE_AT, entry + STAT_BYTES);
    isAny = true;
  }
  if (!isAny) return true;
  const end = bytes.length - hashBytes;
  createHash(format).update(bytes.subarray(0, end)).digest().copy(bytes, end);
  await writeFile(index, bytes);
  return true;
}

/** Where each begins. */
function* entriesOf(bytes: Buffer, flagsAt: number): Generator<number> {
  let start = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(COUNT_AT); left > 0; left -= 1) {
    yield start;
    const hasMore = (bytes.readUInt16BE(start + flagsAt) & HAS_MORE_FLAGS) !== 0;
    const name = start + flagsAt + FLAGS_BYTES + (hasMore ? FLAGS_BYTES : 0);
    const length = bytes.indexOf(0, name) - start;
    start += length + ALIGNED_TO_BYTES - (length % ALIGNED_TO_BYTES);
  }
}
