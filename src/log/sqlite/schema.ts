import { APPLICATION_ID } from '../log-files.ts';
import { IS_OWED } from '../report-row.ts';

export const SCHEMA_VERSION = 6;

/** What is to be delivered elsewhere, and how far that is. `version` is that of the event that it reports. */
const OUTBOX = `
CREATE TABLE outbox (
  key INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  version INTEGER NOT NULL,
  url TEXT NOT NULL,
  secret_variable TEXT,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_try_at INTEGER NOT NULL,
  tried_at INTEGER,
  claimed_by TEXT,
  claimed_until INTEGER,
  delivered_at INTEGER,
  given_up_at INTEGER,
  last_error TEXT
) STRICT;
CREATE UNIQUE INDEX outbox_of_run ON outbox (run, version, url);
CREATE INDEX outbox_owed ON outbox (run, url, key) WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX outbox_undelivered ON outbox (key) WHERE delivered_at IS NULL;
`;

/**
 * Marks the first owed row of each run and URL, so that a look at what can be tried reads no row behind it. By
 * triggers: a process of an earlier version may be writing, too.
 */
const OUTBOX_HEADS = `
ALTER TABLE outbox ADD COLUMN is_head INTEGER;
UPDATE outbox SET is_head = 1 WHERE key IN (SELECT min(key) FROM outbox WHERE ${IS_OWED} GROUP BY run, url);
CREATE INDEX outbox_heads ON outbox (next_try_at, key) WHERE is_head = 1;
CREATE INDEX outbox_claimed ON outbox (claimed_until) WHERE claimed_by IS NOT NULL;
CREATE INDEX outbox_delivered ON outbox (delivered_at, key) WHERE delivered_at IS NOT NULL;
CREATE TRIGGER outbox_enters AFTER INSERT ON outbox BEGIN
  UPDATE outbox SET is_head = 1 WHERE key = new.key AND NOT EXISTS (
    SELECT 1 FROM outbox WHERE run = new.run AND url = new.url AND key <> new.key AND ${IS_OWED}
  );
END;
CREATE TRIGGER outbox_leaves AFTER UPDATE OF delivered_at, given_up_at ON outbox
WHEN NOT (new.delivered_at IS NULL AND new.given_up_at IS NULL) BEGIN
  UPDATE outbox SET is_head = NULL WHERE key = new.key;
  UPDATE outbox SET is_head = 1 WHERE key = (
    SELECT min(key) FROM outbox WHERE run = new.run AND url = new.url AND ${IS_OWED}
  );
END;
`;

/** Finds the runs of a tree, and the newest trees, without a look at all others. */
const RUNS_BY_TREE = `
CREATE INDEX runs_of_tree ON runs (root, key);
CREATE INDEX runs_at_top ON runs (key) WHERE parent_effect IS NULL;
`;

/** Runs that wait for a worker. `seen`: the versions of all runs of its tree, added up, when it was found to wait. */
const SUBMISSIONS = `
CREATE TABLE submissions (
  key INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  task TEXT NOT NULL,
  limit_key TEXT,
  at_once INTEGER,
  at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  standing TEXT NOT NULL,
  seen INTEGER,
  crashes INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  because TEXT
) STRICT;
CREATE UNIQUE INDEX submissions_of_run ON submissions (run);
CREATE INDEX submissions_open ON submissions (standing, due_at, key) WHERE standing <> 'over';
`;

/** Times are milliseconds since 1970, hashes bytes, payloads RFC 8785 text. A run's head is its last event. */
export const SCHEMA = `
CREATE TABLE runs (
  key INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,
  root TEXT NOT NULL,
  parent_effect TEXT UNIQUE,
  prefix INTEGER,
  prefix_version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  closed TEXT
) STRICT;

CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  version INTEGER NOT NULL,
  type INTEGER NOT NULL,
  schema INTEGER NOT NULL,
  at INTEGER NOT NULL,
  causation TEXT,
  epoch INTEGER NOT NULL,
  payload TEXT,
  salt BLOB,
  digest BLOB,
  hash BLOB NOT NULL,
  mark TEXT
) STRICT;
CREATE UNIQUE INDEX events_of_run ON events (run, version);

CREATE TABLE types (key INTEGER PRIMARY KEY, type TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE blobs (sha256 BLOB PRIMARY KEY, content TEXT NOT NULL) STRICT;

CREATE TABLE leases (
  root TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  holder TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  root TEXT NOT NULL,
  run TEXT NOT NULL,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  at INTEGER NOT NULL,
  delivered INTEGER,
  rejected TEXT
) STRICT;
CREATE INDEX inbox_waiting ON inbox (root, id) WHERE delivered IS NULL AND rejected IS NULL;

CREATE TABLE snapshots (
  run TEXT NOT NULL,
  version INTEGER NOT NULL,
  hash BLOB NOT NULL,
  machine TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (run, version)
) STRICT;
${OUTBOX}${OUTBOX_HEADS}${RUNS_BY_TREE}${SUBMISSIONS}
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * What a store of an earlier version lacks, by the version that brought it. Each is done in place, in one transaction.
 */
export const UPGRADES: readonly { readonly to: number; readonly sql: string }[] = [
  { to: 2, sql: 'ALTER TABLE events ADD COLUMN mark TEXT' },
  { to: 3, sql: OUTBOX },
  { to: 4, sql: OUTBOX_HEADS },
  { to: 5, sql: RUNS_BY_TREE },
  { to: 6, sql: SUBMISSIONS },
];

const temporary = (sql: string): string =>
  sql.replaceAll('CREATE TABLE ', 'CREATE TEMP TABLE ').replaceAll(' INDEX ', ' INDEX temp.');

/** For a connection that may change nothing: what a store of an earlier version lacks, without any content. */
export const STAND_INS: readonly { readonly to: number; readonly sql: string }[] = [
  { to: 2, sql: 'CREATE TEMP VIEW events AS SELECT *, NULL AS mark FROM main.events' },
  { to: 3, sql: temporary(OUTBOX) },
  // Not for a store without an outbox, which has the table from before.
  { to: 4, sql: 'CREATE TEMP VIEW IF NOT EXISTS outbox AS SELECT *, NULL AS is_head FROM main.outbox' },
  { to: 6, sql: temporary(SUBMISSIONS) },
];

/** Tables, by the version of the schema that brought them. */
export const TABLES = new Map([
  ...['runs', 'events', 'types', 'blobs', 'leases', 'inbox', 'snapshots'].map((table) => [table, 1] as const),
  ['outbox', 3],
  ['submissions', 6],
]);
