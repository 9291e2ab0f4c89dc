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
/** Of the flags, the length of the name. */
const NAME_BYTES = 0x0f_ff;
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
    const flags = bytes.readUInt16BE(flagsAt);
    const nameAt = flagsAt + FLAGS_BYTES + ((flags & HAS_MORE_FLAGS) === 0 ? 0 : FLAGS_BYTES);
    const nameBytes = flags & NAME_BYTES;
    // A longer name has that length, too.
    const nameEnd = nameBytes === NAME_BYTES ? bytes.indexOf(0, nameAt) : nameAt + nameBytes;
    yield { start, nameAt, nameEnd };
    const length = nameEnd - start;
    start += length + ALIGNED_TO_BYTES - (length % ALIGNED_TO_BYTES);
  }
}

export const isKnownIndex = (bytes: Buffer): boolean => VERSIONS.has(bytes.readUInt32BE(VERSION_AT));

/** Files by their names, a character for each byte, in the order of these. Null: such a file is not there any more. */
export type IndexChanges = ReadonlyMap<string, { readonly mode: string; readonly hash: string } | null>;

/**
 * The files of an index of which it does not say just what it said before, their times and places included. `before` or
 * `now` is null: there was no index, or there is none.
 */
export function indexChanges(before: Buffer | null, now: Buffer | null, hashBytes: number): IndexChanges {
  const found = new Map<string, { readonly mode: string; readonly hash: string } | null>();
  const earlier = before ? indexPlaces(before, hashBytes) : null;
  let was = earlier?.next();
  const goTo = (place: IndexPlace | null): IndexPlace | null => {
    while (before && was && !was.done) {
      const order = place && now ? compareNames(before, was.value, now, place) : -1;
      if (order >= 0) return order === 0 ? was.value : null;
      found.set(nameOf(before, was.value), null);
      was = earlier?.next();
    }
    return null;
  };
  for (const place of now ? indexPlaces(now, hashBytes) : []) {
    const same = goTo(place);
    if (same) was = earlier?.next();
    if (now && !(before && same && areEqual(before, same, now, place)))
      found.set(nameOf(now, place), entryAt(now, place, hashBytes));
  }
  goTo(null);
  return found;
}

const compareNames = (one: Buffer, its: IndexPlace, other: Buffer, place: IndexPlace): number =>
  one.compare(other, place.nameAt, place.nameEnd, its.nameAt, its.nameEnd);

const areEqual = (one: Buffer, its: IndexPlace, other: Buffer, place: IndexPlace): boolean =>
  one.compare(other, place.start, place.nameEnd, its.start, its.nameEnd) === 0;

const nameOf = (bytes: Buffer, { nameAt, nameEnd }: IndexPlace): string => bytes.toString('latin1', nameAt, nameEnd);

const entryAt = (bytes: Buffer, { start }: IndexPlace, hashBytes: number) => ({
  mode: bytes.readUInt32BE(start + MODE_AT).toString(OCTAL),
  hash: bytes.toString('hex', start + STAT_BYTES, start + STAT_BYTES + hashBytes),
});
