import { crc32 } from 'node:zlib';

const HEADER_BYTES = 8;

/** Where a journal ends, and the sum that the next record continues. */
export interface JournalEnd {
  readonly at: number;
  readonly sum: number;
}

export const JOURNAL_START: JournalEnd = { at: 0, sum: 0 };

/**
 * A record behind the end of a journal: its length, a sum over it and every record before it, its text. A record of
 * an earlier try that lies behind the end has another sum, so it never counts.
 */
export function recordBytes(
  end: JournalEnd,
  record: unknown,
): { readonly bytes: Uint8Array; readonly next: JournalEnd } {
  const text = Buffer.from(JSON.stringify(record));
  const sum = crc32(text, end.sum);
  const bytes = Buffer.alloc(HEADER_BYTES + text.length);
  bytes.writeUInt32LE(text.length, 0);
  bytes.writeUInt32LE(sum, 4);
  text.copy(bytes, HEADER_BYTES);
  return { bytes, next: { at: end.at + bytes.length, sum } };
}

/** The whole records at the beginning of a journal: the first that is not whole ends it. */
export function recordsIn(content: Uint8Array): { readonly records: readonly unknown[]; readonly end: JournalEnd } {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const records: unknown[] = [];
  let end = JOURNAL_START;
  while (end.at + HEADER_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(end.at);
    const text = bytes.subarray(end.at + HEADER_BYTES, end.at + HEADER_BYTES + length);
    if (length === 0 || text.length < length) break;
    const sum = crc32(text, end.sum);
    if (sum !== bytes.readUInt32LE(end.at + 4)) break;
    records.push(JSON.parse(text.toString()));
    end = { at: end.at + HEADER_BYTES + length, sum };
  }
  return { records, end };
}
