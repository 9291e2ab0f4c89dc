import type { Log } from '../log.ts';
import { connect, type ConnectionOptions } from './connection.ts';
import { sqliteEvents } from './run-events.ts';
import { failureOf } from './failure.ts';
import { sqliteInbox } from './inbox.ts';
import { sqliteLeases } from './leases.ts';
import { sqliteOutbox } from './outbox.ts';
import { OpenStore } from './open-store.ts';
import { sqliteSnapshots } from './snapshots.ts';

export interface SqliteLogOptions extends ConnectionOptions {
  /** Store time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A log in one SQLite file, which several processes may use at once.
 *
 * Throws a `LogError`: `foreign` or `damaged` when the file is not a log or no longer one, and the file is left byte
 * for byte as it was; `unavailable` when there is no file to open, or its folder cannot be used.
 *
 * @example
 * const log = openSqliteLog('.loopfold/log.db');
 */
export function openSqliteLog(path: string, options: SqliteLogOptions = {}): Log {
  const db = connect(path, options);
  try {
    return logOf(new OpenStore(path, db, options.now ?? Date.now));
  } catch (error) {
    db.close();
    throw failureOf(path, error);
  }
}

const logOf = (store: OpenStore): Log => ({
  store: store.store,
  ...sqliteEvents(store),
  ...sqliteLeases(store),
  ...sqliteInbox(store),
  ...sqliteOutbox(store),
  ...sqliteSnapshots(store),
  close: async () => store.close(),
});
