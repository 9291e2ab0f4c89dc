import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeOwnFolder, OWN_FOLDER } from '../own-folder.ts';
import { openDatabase } from './database.ts';
import { damaged, ELSEWHERE, failureOf, foreign, needsToWrite, NO_LOCKS, unavailable } from './failure.ts';
import type { UnreadNote } from './heads.ts';
import { inspect } from './inspect.ts';
import { grantsTwice, refusesLocks } from './lock-probe.ts';
import { inFlight, openLook } from './look.ts';
import { closeOwnFolder, createPrivate } from './private-files.ts';
import { assertNoLink, assertNothingToWaitFor } from './no-waiting.ts';
import { SCHEMA, SCHEMA_VERSION, STAND_INS, TABLES, UPGRADES } from './schema.ts';
import { unwritable } from './schema-parts.ts';

export interface ConnectionOptions {
  /** `create` (default) makes a missing store; `write` and `read` need one; `read` changes nothing. */
  readonly mode?: 'create' | 'write' | 'read';
  /** `FULL` (default): a commit survives a power cut. `NORMAL`: it survives the death of the process. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** How long to wait for another process's commit. */
  readonly busyTimeoutMs?: number;
}

const BUSY_TIMEOUT_MS = 10_000;

/** A connection to a store, and how it is closed. */
export interface Connection {
  readonly db: DatabaseSync;
  readonly close: () => void;
}

/** A connection to a store that was inspected. */
export interface Connected extends Connection {
  /** Notes of heads that nothing could be compared with. */
  readonly unread: readonly UnreadNote[];
}

/**
 * Checks that a file is a store which holds every run that was noted beside it, and opens it. A file that cannot be
 * opened is left byte for byte as it was.
 */
export function connect(path: string, options: ConnectionOptions): Connected {
  const { mode = 'create', busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  if (mode === 'create') keepOwnFolder(path);
  if (mode !== 'read') closeOwnFolder(path);
  assertNothingToWaitFor(path);
  assertNoLink(path);
  const { kind, unread } = inspect(path, mode !== 'read');
  if (kind === 'absent') {
    if (mode !== 'create') throw noLog(path);
    createPrivate(path);
    // Once a store: SQLite would wait for a process that holds no lock.
    if (refusesLocks(path)) throw unavailable(path, NO_LOCKS, ELSEWHERE);
  }
  let connection: Connection | undefined;
  try {
    connection = mode === 'read' ? openToRead(path) : openPlain(path);
    const { db } = connection;
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (mode === 'create') createSchema(db, path);
    checkVersion(db, path);
    if (mode === 'read') beOnlyReading(db);
    else beWriting(db, path, options);
    return { ...connection, unread };
  } catch (error) {
    connection?.close();
    throw failureOf(path, error);
  }
}

function openPlain(path: string): Connection {
  const db = openDatabase(path);
  return { db, close: () => db.close() };
}

/**
 * A connection that folds no write-ahead log into the database when it is closed. At rest there is none to fold, and a
 * plain connection removes the files that it makes; on media that take no files, the store is looked at as it lies.
 */
function openToRead(path: string): Connection {
  if (inFlight(path) !== 'nothing') return openLook(path);
  const connection = openPlain(path);
  try {
    connection.db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return connection;
  } catch (error) {
    connection.close();
    if (needsToWrite(error)) return openLook(path);
    throw error;
  }
}

function beWriting(db: DatabaseSync, path: string, { synchronous = 'FULL' }: ConnectionOptions): void {
  const fault = unwritable(db, schemaVersion(db));
  if (fault !== null) throw damaged(path, `${fault}: nothing can be written safely`);
  upgrade(db);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
  if (grantsTwice(path)) throw unavailable(path, TWICE, ELSEWHERE);
}

const TWICE = 'its file system grants a lock twice, so that two processes would write at once';

/** Read-only connections do not migrate the schema; temporary tables and views supply what is missing. */
function beOnlyReading(db: DatabaseSync): void {
  const version = schemaVersion(db);
  for (const { to, sql } of STAND_INS) if (to > version) db.exec(sql);
  db.exec('PRAGMA query_only = 1');
}

/** The folder of our own files is made where it is missing, in a folder that is there. */
function keepOwnFolder(path: string): void {
  const folder = dirname(path);
  if (basename(folder) !== OWN_FOLDER || !statSync(dirname(folder), { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    makeOwnFolder(folder);
  } catch (cause) {
    const detail = `${folder} cannot be written (${(cause as NodeJS.ErrnoException).code})`;
    throw unavailable(path, detail, 'Make it writable, or keep the log at another path.', cause);
  }
}

/** In one transaction of the rollback journal: a store has all of its schema and our application id, or is empty. */
function createSchema(db: DatabaseSync, path: string): void {
  if (schemaVersion(db) > 0) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    const tables = tablesIn(db);
    if (schemaVersion(db) === 0 && tables > 0) throw foreign(path, 'it is a database of another program');
    if (tables === 0) db.exec(SCHEMA);
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function checkVersion(db: DatabaseSync, path: string): void {
  const version = schemaVersion(db);
  if (version === 0) throw tablesIn(db) > 0 ? damaged(path, 'the version of its schema is gone') : noLog(path);
  if (version > SCHEMA_VERSION) {
    throw unavailable(path, `a newer loopfold wrote it (schema ${version}, known ${SCHEMA_VERSION})`, 'Update it.');
  }
  assertNothingLater(db, path);
}

/** A table that came after the version that a store names would be taken for missing, with all that it has. */
function assertNothingLater(db: DatabaseSync, path: string): void {
  for (const [table, since] of TABLES) {
    // In one statement: another process may be migrating the store.
    const found = db
      .prepare('SELECT user_version AS said FROM main.pragma_user_version, main.sqlite_schema WHERE name = ?')
      .get(table) as { said: number } | undefined;
    if (found === undefined || found.said >= since) continue;
    const detail = `it says ${found.said}, and it has the table ${table}, which came with ${since}`;
    throw damaged(path, `the version of its schema is wrong: ${detail}`);
  }
}

/**
 * Migrates a store of an earlier version in place. Programs that have it open continue; a program that opens it later
 * must know the new version.
 */
function upgrade(db: DatabaseSync): void {
  if (schemaVersion(db) === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated it meanwhile.
    const version = schemaVersion(db);
    for (const { to, sql } of UPGRADES) if (to > version) db.exec(sql);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** SQLite may have rolled back by itself, as on a full disk: the error that counts is the one before. */
function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // There is no transaction any more.
  }
}

const tablesIn = (db: DatabaseSync): number =>
  (db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number }).tables;

const noLog = (path: string) =>
  unavailable(path, 'there is no log', 'Start a run first, or name the folder that has one.');

const schemaVersion = (db: DatabaseSync): number =>
  (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

/** The last connection to close copies the write-ahead log into the database and removes it, unless it only reads. */
export function closeKeepingWal(connection: Connection, path: string): void {
  if (inFlight(path) === 'nothing') return connection.close();
  // A connection to an empty database deletes its write-ahead log: this one ends with its process, and copies nothing.
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) return;
  const last = openDatabase(path, { readOnly: true });
  try {
    // Where not even that can be read, the connection ends with its process, too.
    if (canRead(last)) connection.close();
  } finally {
    last.close();
  }
}

function canRead(connection: DatabaseSync): boolean {
  try {
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    return true;
  } catch {
    return false;
  }
}
