/** "loop" in ASCII: at byte 68 of every store, so that a store is recognised before it is opened. */
export const APPLICATION_ID = 0x6c6f6f70;
export const SCHEMA_VERSION = 2;

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

PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * What a store of an earlier version lacks, by the version that brought it. Each is done in place, in one transaction.
 */
export const UPGRADES: readonly { readonly to: number; readonly sql: string }[] = [
  { to: 2, sql: 'ALTER TABLE events ADD COLUMN mark TEXT' },
];

/** For a connection that may change nothing: the columns that an earlier store lacks, as nulls. */
export const EARLIER_EVENTS = 'CREATE TEMP VIEW events AS SELECT *, NULL AS mark FROM main.events';

export const TABLES = ['runs', 'events', 'types', 'blobs', 'leases', 'inbox', 'snapshots'] as const;
