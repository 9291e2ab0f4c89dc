import type pg from 'pg';
import { codeOf, unavailable } from './server-failure.ts';
import type { ServerAddress } from '../server-address.ts';

export type { Pool } from 'pg';
/** The driver's types leave out that a connection may wait without keeping the process alive. */
export type Client = pg.Client & { ref(): void; unref(): void };

/** The type of `bigint` columns. Positions, keys and times in milliseconds are all safe as numbers. */
const INT8 = 20;
const CONNECT_TIMEOUT_MS = 10_000;

let loaded: Promise<typeof pg> | undefined;

/** Loads the driver when a log first needs it: who keeps logs in files need not have it. Throws a `LogError`. */
export function loadDriver(store: string): Promise<typeof pg> {
  loaded ??= import('pg').then(({ default: driver }) => driver);
  return loaded.catch((cause: unknown) => {
    loaded = undefined;
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw unavailable(store, 'the package pg is not installed', 'Install it: npm install pg.', cause);
  });
}

/**
 * What every connection to a log is told first: unqualified names are those of its schema. A pool such as pgbouncer
 * refuses settings that come with the connection.
 */
export const settingsOf = ({ schema }: ServerAddress, isReading: boolean): string =>
  `SET search_path = "${schema}"${isReading ? '; SET default_transaction_read_only = on' : ''}`;

/**
 * What the connection that writes is told, too: each statement is planned once, by indexes alone. Until the server has
 * counted the rows of a young log it takes them for few, and would read all of them for every append.
 */
export const PLANNING = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off';

/** The way in which a connection to a log is made. */
export function configOf({ connection }: ServerAddress, { types }: typeof pg) {
  return {
    connectionString: connection(),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'loopfold',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format as 'text'),
    },
  };
}

/** A text that PostgreSQL can keep: it has no place for the character NUL, which programs print by mistake. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\uFFFD');
