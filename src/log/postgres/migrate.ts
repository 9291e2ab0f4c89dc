import type { Client } from './driver.ts';
import { unavailable } from './server-failure.ts';
import { LogError } from '../log.ts';
import { MIGRATIONS, MIGRATIONS_TABLE } from './postgres-schema.ts';
import type { ServerAddress } from '../server-address.ts';

/** The oldest version of a server that knows the SQL of a log. */
const LEAST_SERVER = 150_000;
const VERSION_UNIT = 10_000;
/** For the lock under which one process at a time migrates: any number that no other program takes. */
const MIGRATING = 0x6c6f6f70;

const IN_SCHEMA = 'relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)';

type Mode = 'create' | 'write' | 'read';

/**
 * Brings a schema to the version of this program, one numbered migration after the other, while no other process does.
 * `create` makes a schema that is missing. Throws a `LogError`: `unavailable` where a newer program has migrated it,
 * where there is none, or where the server is too old; `foreign` where the schema is that of another program.
 */
export async function migrate(client: Client, address: ServerAddress, mode: Mode): Promise<void> {
  const { store } = address;
  await assertServer(client, store);
  const version = await versionOf(client, address);
  if (version > MIGRATIONS.length) throw newer(store, version);
  if (version === MIGRATIONS.length) return;
  if (mode !== 'create' && version === 0)
    throw unavailable(store, 'there is no log', 'Start a run first, or name the schema that has one.');
  if (mode === 'read')
    throw unavailable(
      store,
      `its schema is of an earlier loopfold (${version})`,
      'Start or resume a run: that updates it.',
    );
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [MIGRATING, address.schema]);
    await migrateLocked(client, address);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function migrateLocked(client: Client, address: ServerAddress): Promise<void> {
  // Another process may have done it meanwhile.
  const version = await versionOf(client, address);
  if (version > MIGRATIONS.length) throw newer(address.store, version);
  if (version === 0) {
    if (await hasTables(client, address)) throw foreign(address.store);
    // Not IF NOT EXISTS: who may only use a schema that is there could not say so.
    if (!(await hasSchema(client, address))) await client.query(`CREATE SCHEMA "${address.schema}"`);
    await client.query(
      `CREATE TABLE ${MIGRATIONS_TABLE} (version int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`,
    );
  }
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await client.query(sql);
    await client.query(`INSERT INTO ${MIGRATIONS_TABLE} (version) VALUES ($1)`, [index + 1]);
  }
}

async function assertServer(client: Client, store: string): Promise<void> {
  const { rows } = await client.query<{ readonly version: string }>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  const version = Number(rows[0]?.version);
  if (version >= LEAST_SERVER) return;
  const [found, least] = [version, LEAST_SERVER].map((number) => Math.trunc(number / VERSION_UNIT));
  throw unavailable(store, `the server is PostgreSQL ${found}`, `Take one of version ${least} or later.`);
}

/** The newest migration of a schema; 0 where it has none. */
async function versionOf(client: Client, { schema }: ServerAddress): Promise<number> {
  // Not by to_regclass: that may remember what there was before the lock.
  const asked = `SELECT 1 FROM pg_class WHERE relname = $2 AND ${IN_SCHEMA}`;
  const { rows: tables } = await client.query(asked, [schema, MIGRATIONS_TABLE]);
  if (tables.length === 0) return 0;
  const { rows } = await client.query<{ readonly version: number | null }>(
    `SELECT max(version) AS version FROM ${MIGRATIONS_TABLE}`,
  );
  return rows[0]?.version ?? 0;
}

async function hasSchema(client: Client, { schema }: ServerAddress): Promise<boolean> {
  return (await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).rows.length > 0;
}

async function hasTables(client: Client, { schema }: ServerAddress): Promise<boolean> {
  const asked = `SELECT 1 FROM pg_class WHERE ${IN_SCHEMA} LIMIT 1`;
  return (await client.query(asked, [schema])).rows.length > 0;
}

const newer = (store: string, version: number) =>
  unavailable(store, `a newer loopfold wrote it (schema ${version}, known ${MIGRATIONS.length})`, 'Update this one.');

const foreign = (store: string) =>
  new LogError(
    'foreign',
    store,
    'the schema has tables of another program',
    'It was left as it is: name another one, as in ?schema=loopfold.',
  );
