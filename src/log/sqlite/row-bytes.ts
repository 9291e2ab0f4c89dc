import { closeSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../environment-fault.ts';

// SQLite calls a database malformed whose pages it could not read: a failing disk would be called damage. Only bytes
// that can be read are proven to be wrong.

const PIECE_BYTES = 1024 * 1024;
/** A larger file is looked through no further. */
const MAX_PIECES = 4096;

/** The reason why a file of a store cannot be read from its beginning to its end. Null: it can, or is not there. */
export function unreadBytes(store: string): string | null {
  const code = codeOfReading(store);
  if (code !== null) return `it cannot be read (${code})`;
  const beside = codeOfReading(`${store}-wal`);
  return beside === null ? null : `its -wal cannot be read (${beside})`;
}

function codeOfReading(path: string): string | null {
  try {
    const file = openSync(path, 'r');
    try {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      for (let at = 0; at < MAX_PIECES; at += 1) {
        if (readSync(file, piece, 0, PIECE_BYTES, at * PIECE_BYTES) === 0) break;
      }
      return null;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? null : code;
  }
}
