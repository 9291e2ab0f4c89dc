import type { Log } from '../log.ts';
import { storeTime } from '../store-time.ts';
import { type Client, configOf, loadDriver, settingsOf } from './driver.ts';
import { migrate } from './migrate.ts';
import { Server } from './server.ts';
import { type ServerAddress, serverAddress } from '../server-address.ts';
import { failureOf, unavailable } from './server-failure.ts';
import { serverStores } from './server-stores.ts';

export interface PostgresLogOptions {
  /** `create` (default) makes a missing schema; `write` and `read` need one; `read` changes nothing. */
  readonly mode?: 'create' | 'write' | 'read';
  /** Store time in milliseconds since 1970. Default: the time of the server. */
  readonly now?: () => number;
}

/** Connections for reading. Writes have one of their own, and so has listening. */
const MAX_READERS = 4;

/**
 * A log in a schema of a PostgreSQL database, which processes on several machines may use at once. It needs the package
 * `pg`. The password comes from PGPASSWORD or `~/.pgpass`, or the whole address from a variable: `env:NAME`.
 *
 * Throws a `LogError`: `unavailable` where server, database or schema cannot be used, or where a newer program has
 * migrated it; `foreign` where the schema is that of another program.
 *
 * @example
 * const log = await openPostgresLog('postgres://loopfold@127.0.0.1:5432/runs?schema=loopfold');
 */
export async function openPostgresLog(address: string, options: PostgresLogOptions = {}): Promise<Log> {
  const parsed = serverAddress(address);
  if (typeof parsed === 'string')
    throw unavailable('postgres:', `expected ${parsed}`, 'Correct the address of the log.');
  return openServerLog(parsed, options);
}

export async function openServerLog(
  address: ServerAddress,
  { mode = 'create', now }: PostgresLogOptions = {},
): Promise<Log> {
  const driver = await loadDriver(address.store);
  const config = configOf(address, driver);
  const settings = settingsOf(address, mode === 'read');
  const connect = async (): Promise<Client> => {
    const client = new driver.Client(config) as Client;
    // Every use has an answer of its own; without a listener, losing an idle connection would end the process.
    client.on('error', () => {});
    await client.connect();
    await client.query(settings);
    return client;
  };
  try {
    const client = await connect();
    await migrate(client, address, mode).finally(() => client.end());
  } catch (error) {
    throw failureOf(address.store, error);
  }
  const verify = (client: Pick<Client, 'query'>, done: (error?: Error) => void): void =>
    client.query(settings, (error) => done(error));
  const pool = new driver.Pool({ ...config, verify, max: MAX_READERS, allowExitOnIdle: true });
  pool.on('error', () => {});
  const { monotonic } = storeTime(now);
  return logOf(new Server({ address, pool, connect }, { now: now ?? null, monotonic }));
}

const logOf = (server: Server): Log => ({ store: server.store, ...serverStores(server), close: () => server.close() });
