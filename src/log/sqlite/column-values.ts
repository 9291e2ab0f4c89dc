const HASH_BYTES = 32;
/** Where hashes are written out, without taking memory for each. */
const hashes = Buffer.alloc(HASH_BYTES);

/** The hexadecimal text of a hash. */
export function hexOf(bytes: Uint8Array): string {
  if (bytes.byteLength > HASH_BYTES) return Buffer.from(bytes).toString('hex');
  hashes.set(bytes);
  return hashes.toString('hex', 0, bytes.byteLength);
}

/** Bytes take Node three times as long as a text. What is neither bytes nor nothing stays a misfit. */
export const hexColumn = (column: string): string =>
  `CASE typeof(${column}) WHEN 'blob' THEN lower(hex(${column})) WHEN 'null' THEN NULL ELSE 0 END`;

export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

const SECOND_MS = 1_000;
const DIGITS_OF_MS = 3;
const AFTER_SECONDS = '000Z'.length;
/** The newest second that was written out: events that follow one another mostly have the same. */
let second = Number.NaN;
let upToSecond = '';

export function timestamp(ms: number): string {
  const current = Math.floor(ms / SECOND_MS);
  if (current !== second) {
    upToSecond = new Date(current * SECOND_MS).toISOString().slice(0, -AFTER_SECONDS);
    second = current;
  }
  return `${upToSecond}${String(ms - current * SECOND_MS).padStart(DIGITS_OF_MS, '0')}Z`;
}
