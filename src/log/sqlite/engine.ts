import { resolve } from 'node:path';
import type { Log, SnapshotStore } from '../log.ts';
import { sqliteAudit } from './audit/audit.ts';
import { sqliteCopies } from './adopt-run.ts';
import { connect, type Connected, type ConnectionOptions } from './connection.ts';
import { sqliteEvents } from './run-events.ts';
import { failureOf, unavailable } from './failure.ts';
import { sqliteLeases } from './leases.ts';
import { openDatabase } from './database.ts';
import { sqliteDeliveries } from './deliveries.ts';
import { besideFile, IN_MEMORY, OpenStore } from './open-store.ts';
import { SCHEMA } from './schema.ts';
import { storeTime } from '../store-time.ts';

/** What SQLite takes for a database without a file. */
const NO_FILE = ':memory:';

export interface SqliteLogOptions extends ConnectionOptions {
  /** Store time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A log in one SQLite file, which several processes may use at once. A folder `.loopfold` is made if it is missing,
 * with a `.gitignore` that ignores it; any other folder has to be there.
 *
 * Throws a `LogError`: `foreign` or `damaged` when the file is not a log or no longer one, and the file is left byte
 * for byte as it was; `unavailable` when there is no file to open, or its folder cannot be used.
 *
 * @example
 * const log = openSqliteLog('.loopfold/log.db');
 */
export function openSqliteLog(file: string, options: SqliteLogOptions = {}): Log {
  const path = placeOf(file);
  const connection = connect(path, options);
  try {
    return logOf(new OpenStore(path, connection, storeTime(options.now), besideFile(path)), connection);
  } catch (error) {
    connection.close();
    throw failureOf(path, error);
  }
}

export interface MemoryLogOptions {
  /** Store time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A log that ends with this process: for tests, and for runs that need not be kept.
 *
 * @example
 * const log = memoryLog();
 */
export function memoryLog(options: MemoryLogOptions = {}): Log {
  const db = openDatabase(NO_FILE);
  db.exec(SCHEMA);
  const connection = { db, close: () => db.close(), unread: [] };
  return logOf(new OpenStore('memory:', connection, storeTime(options.now), IN_MEMORY), connection);
}

/** Absolute: the process may change its folder while the log is open. */
function placeOf(file: string): string {
  if (file !== '' && file !== NO_FILE) return resolve(file);
  throw unavailable(
    file === '' ? "''" : file,
    'SQLite would keep it in no file that can be opened again',
    'Name a file, such as .loopfold/log.db; or use memoryLog() for a log that is lost with its process.',
  );
}

const logOf = (store: OpenStore, { db, unread }: Connected): Log => ({
  store: store.store,
  ...sqliteEvents(store),
  ...sqliteLeases(store),
  ...sqliteDeliveries(store),
  ...sqliteSnapshots(store),
  ...sqliteCopies(store),
  ...sqliteAudit(store, db, unread),
  close: async () => store.close(),
});

/** The cached states of a SQLite log. */
function sqliteSnapshots(store: OpenStore): SnapshotStore {
  const { snapshots } = store.tables;
  return {
    async saveSnapshot(snapshot) {
      store.assertOpen();
      return store.write(() => snapshots.save(snapshot));
    },

    async latestSnapshot(run, atMost = Number.MAX_SAFE_INTEGER) {
      return store.reading(() => {
        for (const segment of store.headCheck.segments(run).toReversed()) {
          const snapshot = snapshots.latest(segment, atMost);
          if (snapshot) return snapshot;
        }
        return null;
      });
    },
  };
}
