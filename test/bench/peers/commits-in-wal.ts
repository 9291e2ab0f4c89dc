import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Counts the commits that a program writes into a store's write-ahead log, whichever driver it uses. A reader stays in
 * its transaction meanwhile, so that the log is not begun anew.
 *
 * @example
 * const commits = countingWal(path);
 * await work();
 * console.log(commits());
 */
export function countingWal(store: string): () => number {
  const reader = new DatabaseSync(store, { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM sqlite_schema').get();
  const before = commitsIn(readFileSync(`${store}-wal`));
  return () => {
    const commits = commitsIn(readFileSync(`${store}-wal`)) - before;
    reader.close();
    return commits;
  };
}

/** The last frame of a commit says how many pages the database then has; all others say 0. */
function commitsIn(wal: Buffer): number {
  if (wal.length < HEADER_BYTES) return 0;
  const frameBytes = FRAME_HEADER_BYTES + wal.readUInt32BE(8);
  const salt = wal.readBigUInt64BE(16);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    // What follows is of an earlier round of the log.
    if (wal.readBigUInt64BE(at + 8) !== salt) break;
    if (wal.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}
