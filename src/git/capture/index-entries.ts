// An index of git, as it lies in its file.

/** `DIRC`, the version, and the number of entries. */
const VERSION_AT = 4;
const COUNT_AT = 8;
const HEADER_BYTES = 12;
/** Git writes the fourth only where it is told to. */
const VERSIONS = new Set([2, 3]);
/** Of the hashes of a format. */
export const HASH_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32 };
/** Of an entry, before its hash: the time of the inode's last change, that of its content, mode and owner, the size. */
export const STAT_BYTES = 40;
const MODE_AT = 24;
const FLAGS_BYTES = 2;
const HAS_MORE_FLAGS = 0x40_00;
/** An entry ends with one to eight bytes of 0, at a multiple of this from where it began. */
const ALIGNED_TO_BYTES = 8;
const OCTAL = 8;

/** An entry by where it begins. */
interface IndexPlace {
  readonly start: number;
  readonly nameAt: number;
  readonly nameEnd: number;
}

export function* indexPlaces(bytes: Buffer, hashBytes: number): Generator<IndexPlace> {
  let start = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(COUNT_AT); left > 0; left -= 1) {
    const flagsAt = start + STAT_BYTES + hashBytes;
    const hasMore = (bytes.readUInt16BE(flagsAt) & HAS_MORE_FLAGS) !== 0;
    const nameAt = flagsAt + FLAGS_BYTES + (hasMore ? FLAGS_BYTES : 0);
    const nameEnd = bytes.indexOf(0, nameAt);
    yield { start, nameAt, nameEnd };
    const length = nameEnd - start;
    start += length + ALIGNED_TO_BYTES - (length % ALIGNED_TO_BYTES);
  }
}

export const isKnownIndex = (bytes: Buffer): boolean => VERSIONS.has(bytes.readUInt32BE(VERSION_AT));

/** Its files by name, a character for each byte, in the order of their bytes. */
export function indexEntries(bytes: Buffer, hashBytes: number): Map<string, { mode: string; hash: string }> {
  const found = new Map<string, { mode: string; hash: string }>();
  for (const { start, nameAt, nameEnd } of indexPlaces(bytes, hashBytes)) {
    found.set(bytes.toString('latin1', nameAt, nameEnd), {
      mode: bytes.readUInt32BE(start + MODE_AT).toString(OCTAL),
      hash: bytes.toString('hex', start + STAT_BYTES, start + STAT_BYTES + hashBytes),
    });
  }
  return found;
}
