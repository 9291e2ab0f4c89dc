import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { APPLICATION_ID } from '../log-files.ts';
import { openDatabase } from './database.ts';
import { damaged, failureOf, foreign, unavailable } from './failure.ts';
import { TABLES } from './schema.ts';

const HEADER_BYTES = 100;
const PROBE_TIMEOUT_MS = 5_000;
const MAGIC = 'SQLite format 3\0';

/**
 * Inspects a path without changing anything: `absent` (or an empty file), or `ours`, a store that opens. Else throws.
 */
export function inspect(path: string): 'absent' | 'ours' {
  const folder = statOf(dirname(path), path);
  if (!folder?.isDirectory()) {
    throw unavailable(path, `there is no folder ${dirname(path)}`, 'Create it, or name another path.');
  }
  const file = statOf(path, path);
  if (file === null) return 'absent';
  if (!file.isFile()) throw unavailable(path, 'it is not a file', 'Name another path for the log.');
  if (file.size === 0) return 'absent';
  inspectHeader(path);
  probe(path);
  return 'ours';
}

function inspectHeader(path: string): void {
  const header = headerOf(path);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw foreign(path, 'it is not a log but some other file');
  if (header.readUInt32BE(68) !== APPLICATION_ID) throw foreign(path, 'it is a database of another program');
  if (inFlight(path) !== 'nothing') return;
  const pageBytes = header.readUInt16BE(16);
  const expected = header.readUInt32BE(28) * (pageBytes === 1 ? 65_536 : pageBytes);
  const bytes = statOf(path, path)?.size ?? 0;
  if (bytes < expected) throw damaged(path, `${bytes} bytes where ${expected} were written`);
}

/** The file that SQLite keeps beside a database while it writes pages, or that a killed process left there. */
export function inFlight(path: string): 'journal' | 'wal' | 'nothing' {
  const bytesOf = (suffix: string) => statOf(path + suffix, path)?.size ?? 0;
  if (bytesOf('-journal') > 0) return 'journal';
  return bytesOf('-wal') > 0 ? 'wal' : 'nothing';
}

/**
 * Reads the first and the last row of every table. A plain connection would create files and, when closed, copy the
 * write-ahead log into the database: a damaged store must stay as it was found, so that it can be repaired.
 */
function probe(path: string): void {
  const before = inFlight(path);
  // A journal is SQLite's to roll back first.
  if (before === 'journal') return;
  try {
    readEnds(path, before === 'wal');
  } catch (error) {
    // An older Node takes no URL: there damage is found by the first reading instead.
    if (error instanceof TypeError) return;
    // Another process began to write, and pages read without a lock may have been torn.
    if (inFlight(path) === before) throw failureOf(path, error);
    probe(path);
  }
}

function readEnds(path: string, isLive: boolean): void {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const db = openDatabase(isLive ? path : url, { readOnly: true });
  try {
    db.exec(`PRAGMA busy_timeout = ${PROBE_TIMEOUT_MS}`);
    const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    for (const [table, since] of TABLES) {
      if (since > user_version) continue;
      const order = table === 'leases' ? 'root' : 'rowid';
      for (const direction of ['ASC', 'DESC']) {
        db.prepare(`SELECT * FROM ${table} ORDER BY ${order} ${direction} LIMIT 1`).get();
      }
    }
  } finally {
    db.close();
  }
}

function headerOf(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, header, 0, HEADER_BYTES, 0);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw unavailable(path, 'it cannot be read', 'Check its permissions.', cause);
  }
  return header;
}

function statOf(file: string, store: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (cause) {
    throw unavailable(store, `${file} cannot be looked at`, 'Check the path and its permissions.', cause);
  }
}
