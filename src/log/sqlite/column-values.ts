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
