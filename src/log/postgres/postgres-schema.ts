import { APPEND_FUNCTION } from './append-function.ts';
import { QUEUE_MIGRATION } from './queue-schema.ts';
import { WRITER_EPOCHS } from './writer-epochs.ts';

/** The table that says which migrations a schema has. */
export const MIGRATIONS_TABLE = 'loopfold_migrations';

/**
 * Times are milliseconds since 1970, hashes bytes, payloads RFC 8785 text. Names are compared byte by byte, whatever
 * the database is set to. `xid` says which transaction wrote an event: positions are given before a commit, and seen
 * after it.
 */
const TABLES = `
CREATE TABLE runs (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run text COLLATE "C" NOT NULL UNIQUE,
  root text COLLATE "C" NOT NULL,
  parent_effect text COLLATE "C" UNIQUE,
  prefix bigint REFERENCES runs,
  prefix_version int NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version int NOT NULL,
  hash bytea NOT NULL,
  closed text
);
CREATE INDEX runs_of_tree ON runs (root, key);
CREATE INDEX runs_at_top ON runs (key) WHERE parent_effect IS NULL;

CREATE TABLE events (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  run bigint NOT NULL,
  version int NOT NULL,
  type text NOT NULL,
  schema int NOT NULL,
  at bigint NOT NULL,
  causation text,
  epoch int NOT NULL,
  payload text,
  salt bytea,
  digest bytea,
  hash bytea NOT NULL,
  mark text
);
CREATE UNIQUE INDEX events_of_run ON events (run, version);
CREATE INDEX events_of_transaction ON events (xid);

CREATE TABLE blobs (sha256 bytea PRIMARY KEY, content text NOT NULL);

CREATE TABLE leases (root text COLLATE "C" PRIMARY KEY, epoch int NOT NULL, holder text, expires_at bigint NOT NULL);

CREATE TABLE inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token uuid NOT NULL UNIQUE,
  root text COLLATE "C" NOT NULL,
  run text COLLATE "C" NOT NULL,
  type text NOT NULL,
  payload text NOT NULL,
  at bigint NOT NULL,
  delivered int,
  rejected text
);
CREATE INDEX inbox_waiting ON inbox (root, id) WHERE delivered IS NULL AND rejected IS NULL;

CREATE TABLE snapshots (
  run text COLLATE "C" NOT NULL,
  version int NOT NULL,
  hash bytea NOT NULL,
  machine text NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (run, version)
);

CREATE TABLE outbox (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run text COLLATE "C" NOT NULL,
  version int NOT NULL,
  url text NOT NULL,
  secret_variable text,
  body text NOT NULL,
  created_at bigint NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  next_try_at bigint NOT NULL,
  tried_at bigint,
  claimed_by text,
  claimed_until bigint,
  delivered_at bigint,
  given_up_at bigint,
  last_error text,
  UNIQUE (run, version, url)
);
CREATE INDEX outbox_owed ON outbox (run, url, key) WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX outbox_undelivered ON outbox (key) WHERE delivered_at IS NULL;
CREATE INDEX outbox_delivered ON outbox (delivered_at, key) WHERE delivered_at IS NOT NULL;
`;

/** The time of the server, unless the caller brings one. */
const TIME_FUNCTION = `
CREATE FUNCTION store_time(given bigint) RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT coalesce(given, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) $$;
`;

/** Each is done once, in its own transaction, in this order. The number of one is its place, from 1. */
export const MIGRATIONS: readonly string[] = [TABLES + TIME_FUNCTION + APPEND_FUNCTION, QUEUE_MIGRATION, WRITER_EPOCHS];
