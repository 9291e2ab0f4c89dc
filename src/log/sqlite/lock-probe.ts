import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from './database.ts';

// SQLite rests on locks of the file system. One that refuses every lock looks like another process that never ends, and
// one that grants a lock twice lets two processes write at once: what either has recorded is lost before it shows.

/** The list of the locks that this system has granted. */
const LOCKS = '/proc/locks';
const PROBE_TIMEOUT_MS = 10_000;
/** Exits with 3 where it gets a lock that its parent holds. */
const TAKING = `const { DatabaseSync } = require('node:sqlite');
try { new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE'); process.exit(3); } catch { process.exit(0); }`;
const GOT_IT = 3;
const PRIVATE = 0o600;

/** File systems on which a lock was seen to hold, by their device numbers. */
const proven = new Set<number>();

/**
 * Tells whether the file system of a store grants a lock twice. The store is open, and was read: the lock of that is in
 * the system's list, which takes less than a millisecond. Where it is not, as on file systems that keep their locks
 * elsewhere, another process tries one.
 */
export function grantsTwice(store: string): boolean {
  const { dev, ino } = statSync(store);
  if (proven.has(dev)) return false;
  if (!isListed(ino) && withProbe(store, (probe) => isTakenBy(probe)) === true) return true;
  proven.add(dev);
  return false;
}

/** Tells whether the file system of a store refuses every lock, also on a file that no other process knows. */
export const refusesLocks = (store: string): boolean => withProbe(store, () => true) === null;

/** Systems without such a list are taken at their word. */
function isListed(inode: number): boolean {
  try {
    return readFileSync(LOCKS, 'utf8').includes(`:${inode} `);
  } catch {
    return true;
  }
}

function isTakenBy(probe: string): boolean {
  const { status } = spawnSync(process.execPath, ['--no-warnings', '-e', TAKING, probe], {
    stdio: 'ignore',
    timeout: PROBE_TIMEOUT_MS,
  });
  return status === GOT_IT;
}

/** Looks while this process alone holds a file beside the store. Null: it gets no lock. Undefined: no file. */
function withProbe(store: string, look: (probe: string) => boolean): boolean | null | undefined {
  const probe = `${store}.lock-${process.pid}`;
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: PRIVATE });
  } catch {
    return undefined;
  }
  const db = openDatabase(probe);
  try {
    return isLocked(db) ? look(probe) : null;
  } finally {
    db.close();
    rmSync(probe, { force: true });
  }
}

function isLocked(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN EXCLUSIVE');
    return true;
  } catch {
    return false;
  }
}
