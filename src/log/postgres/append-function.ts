import { FIRST_EPOCH, LEASE_TTL_MS } from '../lease-store.ts';

/** The columns that a group of appends is sent in, with their types: those of appends, and those of their parts. */
const APPEND_COLUMNS = {
  run: 'text',
  parent_effect: 'text',
  parent: 'text',
  expected: 'int',
  previous: 'text',
  epoch: 'int',
  closes: 'text',
  taker: 'text',
  releases: 'boolean',
  created_at: 'bigint',
  last: 'int',
  last_hash: 'text',
  last_at: 'bigint',
} as const;
const EVENT_COLUMNS = {
  append: 'int',
  version: 'int',
  type: 'text',
  schema: 'int',
  at: 'bigint',
  causation: 'text',
  payload: 'text',
  salt: 'text',
  hash: 'text',
  mark: 'text',
} as const;
const BLOB_COLUMNS = { append: 'int', sha256: 'text', content: 'text' } as const;
const DELIVERY_COLUMNS = { append: 'int', entry: 'bigint' } as const;
const REPORT_COLUMNS = {
  append: 'int',
  version: 'int',
  url: 'text',
  secret_variable: 'text',
  body: 'text',
} as const;

/** In the order of the parameters, each group under what the names of its parameters begin with. */
export const PARAMETERS = {
  a: APPEND_COLUMNS,
  e: EVENT_COLUMNS,
  b: BLOB_COLUMNS,
  d: DELIVERY_COLUMNS,
  r: REPORT_COLUMNS,
} as const;

const declared = Object.entries(PARAMETERS)
  .flatMap(([group, columns]) => Object.entries(columns).map(([name, type]) => `${group}_${name} ${type}[]`))
  .join(', ');

/** The rows of a group, by the names of its columns; `n` counts them from 1. */
const rowsOf = (group: keyof typeof PARAMETERS): string => {
  const names = Object.keys(PARAMETERS[group]);
  const parameters = names.map((name) => `${group}_${name}`).join(', ');
  return `unnest(${parameters}) WITH ORDINALITY AS ${group}(${names.join(', ')}, n)`;
};

/**
 * Appends to many runs at once. Each is judged by the rows that were locked before, in one order, so that two writers
 * do not wait for each other in a circle; what is refused leaves its neighbours alone. Who listens is told in the same
 * transaction; where no process listens, nothing is told, because that would make commits wait for one another.
 *
 * Planned once, by indexes alone: until the server has counted the rows of a young log it takes them for few, and reads
 * all of them (20,000 runs: 45 ms for an append in place of 3).
 */
export const APPEND_FUNCTION = `
CREATE FUNCTION append_events(${declared}, given bigint, channel text)
RETURNS TABLE (n bigint, kind text, detail text, positions bigint[], released boolean) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  answer record;
  told boolean;
  moment bigint := store_time(given);
  listening bigint := hashtextextended(channel, 0);
BEGIN
  PERFORM 1 FROM leases WHERE root IN (
    SELECT coalesce(r.root, p.root, a.run) FROM unnest(a_run, a_parent) AS a(run, parent)
    LEFT JOIN runs r ON r.run = a.run LEFT JOIN runs p ON p.run = a.parent
  ) ORDER BY root FOR NO KEY UPDATE;
  PERFORM 1 FROM runs WHERE run = ANY(a_run) ORDER BY run FOR NO KEY UPDATE;
  told := NOT pg_try_advisory_lock(listening);
  IF NOT told THEN PERFORM pg_advisory_unlock(listening); END IF;
  FOR answer IN
    WITH judged AS (
      SELECT a.*, r.key, coalesce(r.root, p.root, CASE WHEN a.parent IS NULL THEN a.run END) AS root,
        CASE
          WHEN r.key IS NULL AND a.parent IS NOT NULL AND p.key IS NULL THEN 'orphan'
          WHEN a.taker IS NULL AND (l.holder IS NULL OR l.epoch <> a.epoch) THEN 'fenced'
          WHEN a.taker IS NOT NULL AND (l.root IS NOT NULL OR a.epoch <> ${FIRST_EPOCH}) THEN 'fenced'
          WHEN o.key IS NOT NULL THEN 'duplicate_child'
          WHEN r.closed IS NOT NULL THEN 'closed'
          WHEN coalesce(r.version, 0) <> a.expected THEN 'conflict'
          WHEN r.hash <> decode(a.previous, 'hex') THEN 'diverged'
          ELSE 'appended'
        END AS kind,
        coalesce(l.epoch, 0) AS newest, o.run AS opened, r.closed, coalesce(r.version, 0) AS head
      FROM ${rowsOf('a')}
      LEFT JOIN runs r ON r.run = a.run
      LEFT JOIN runs p ON p.run = a.parent
      LEFT JOIN runs o ON o.parent_effect = a.parent_effect
      LEFT JOIN leases l ON l.root = coalesce(r.root, p.root, a.run)
    ), taken AS (
      SELECT * FROM judged WHERE kind = 'appended'
    ), opened AS (
      INSERT INTO runs (run, root, parent_effect, prefix_version, created_at, updated_at, version, hash, closed)
      SELECT run, root, parent_effect, 0, created_at, last_at, last, decode(last_hash, 'hex'), closes FROM taken
      WHERE key IS NULL ORDER BY n
      RETURNING key, run
    ), moved AS (
      UPDATE runs SET version = t.last, hash = decode(t.last_hash, 'hex'), updated_at = t.last_at, closed = t.closes
      FROM taken t WHERE runs.key = t.key
    ), keyed AS (
      SELECT t.n, t.root, t.run, t.epoch, t.expected, coalesce(t.key, o.key) AS key
      FROM taken t LEFT JOIN opened o ON o.run = t.run
    ), kept AS (
      INSERT INTO blobs (sha256, content)
      SELECT DISTINCT ON (sha256) decode(sha256, 'hex'), content FROM ${rowsOf('b')} JOIN keyed k ON k.n = append
      ON CONFLICT DO NOTHING
    ), written AS (
      INSERT INTO events (run, version, type, schema, at, causation, epoch, payload, salt, hash, mark)
      SELECT k.key, version, type, schema, at, causation, k.epoch, payload,
        decode(salt, 'hex'), decode(hash, 'hex'), mark
      FROM ${rowsOf('e')} JOIN keyed k ON k.n = append ORDER BY append, version
      RETURNING run, version, position
    ), placed AS (
      SELECT k.n, array_agg(w.position ORDER BY w.version) AS positions
      FROM written w JOIN keyed k ON k.key = w.run GROUP BY k.n
    ), delivered AS (
      UPDATE inbox SET delivered = k.expected + 1 FROM ${rowsOf('d')} JOIN keyed k ON k.n = append
      WHERE inbox.id = entry AND inbox.root = k.root AND inbox.delivered IS NULL AND inbox.rejected IS NULL
    ), reported AS (
      INSERT INTO outbox (run, version, url, secret_variable, body, created_at, next_try_at)
      SELECT k.run, version, url, secret_variable, body, moment, moment
      FROM ${rowsOf('r')} JOIN keyed k ON k.n = append ORDER BY r.n
      ON CONFLICT DO NOTHING
    ), freed AS (
      SELECT t.n, t.root FROM taken t WHERE t.releases AND NOT EXISTS (
        SELECT 1 FROM inbox i WHERE i.root = t.root AND i.delivered IS NULL AND i.rejected IS NULL
          AND i.id NOT IN (SELECT entry FROM ${rowsOf('d')} WHERE append = t.n)
      )
    ), leased AS (
      INSERT INTO leases (root, epoch, holder, expires_at)
      SELECT t.root, t.epoch, CASE WHEN f.n IS NULL THEN t.taker END, moment + ${LEASE_TTL_MS}
      FROM taken t LEFT JOIN freed f ON f.n = t.n WHERE t.taker IS NOT NULL
    ), given_back AS (
      UPDATE leases SET holder = NULL FROM freed f JOIN taken t ON t.n = f.n
      WHERE leases.root = f.root AND t.taker IS NULL
    )
    SELECT j.n, j.run, j.kind,
      CASE j.kind WHEN 'fenced' THEN j.newest::text WHEN 'duplicate_child' THEN j.opened
        WHEN 'closed' THEN j.closed ELSE j.head::text END AS detail,
      w.positions, f.n IS NOT NULL AS released
    FROM judged j LEFT JOIN placed w ON w.n = j.n LEFT JOIN freed f ON f.n = j.n
  LOOP
    n := answer.n;
    kind := answer.kind;
    detail := answer.detail;
    positions := answer.positions;
    released := answer.released;
    RETURN NEXT;
    IF told AND kind = 'appended' THEN PERFORM pg_notify(channel, answer.run); END IF;
  END LOOP;
END $$;
`;

const count = Object.values(PARAMETERS).reduce((sum, columns) => sum + Object.keys(columns).length, 0);
const places = Array.from({ length: count + 2 }, (_, index) => `$${index + 1}`).join(', ');

/** Calls it. `n` says which append an answer is about, from 1. */
export const APPEND = { name: 'append', text: `SELECT * FROM append_events(${places})` };
