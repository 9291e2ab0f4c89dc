import { LogError } from '../log.ts';

/** The remedy where a log on a server has lost something. */
export const RESTORE_SERVER = 'Restore the database from a backup, or copy what is left with `loopfold copy`.';

export const unavailable = (store: string, detail: string, remedy: string, cause?: unknown) =>
  new LogError('unavailable', store, detail, remedy, cause);

export const damaged = (store: string, detail: string, cause?: unknown) =>
  new LogError('damaged', store, `the log is damaged (${detail})`, RESTORE_SERVER, cause);

/** The code of an error: five characters where the server sent it, else that of the system. */
export const codeOf = (error: unknown): string => {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
};

const CONNECTION = /^08|^57P0[123]$|^53300$|^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)$/;
/** The words of the driver where it gives no code. */
const GONE = /Connection terminated|not queryable|timeout exceeded when trying to connect/;

/** Tells whether a connection was lost, or none could be made: what was under way may have been done or not. */
export const isLost = (error: unknown): boolean =>
  CONNECTION.test(codeOf(error)) || (error instanceof Error && GONE.test(error.message));

/** Tells whether the server has taken back a transaction that would go through if it was tried again. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01', '23505'].includes(codeOf(error));

/** `isTransient`, for what finds out only afterwards that it went by something old. */
export const transient = (message: string): Error => Object.assign(new Error(message), { code: '40001' });

type Told = readonly [detail: string, remedy: string];

const REFUSED_USER: Told = [
  'the server does not let this user in',
  'Name another user in the address, or give the password by PGPASSWORD, ~/.pgpass, or --log env:NAME.',
];
const READ_ONLY: Told = [
  'the server takes no writes here',
  'Name the primary server, not a replica that is only read.',
];
const SHARED: Told = [
  'a pool in front of the server gives one session to several programs',
  'Have it keep a session for each connection: pool_mode = session of pgbouncer.',
];
const NOT_REACHED: Told = ['the server cannot be reached', 'Check host and port of the address, and that it runs.'];

/** The words about an error, by its code or the class of its code. */
const BY_CODE: Readonly<Record<string, Told>> = {
  '28000': REFUSED_USER,
  '28P01': REFUSED_USER,
  '3D000': ['there is no such database on the server', 'Create it (createdb NAME), or name another one.'],
  '42501': [
    'the user of the address may not do this in the database',
    'Let it: GRANT CREATE ON DATABASE name TO user makes a schema possible; one that is there has to be its own.',
  ],
  '25006': READ_ONLY,
  '53300': ['the server has no connection left', 'Raise its max_connections, or end programs that hold some.'],
  '26000': SHARED,
  '42P05': SHARED,
  '53100': ['its disk is full', 'Free some space, then resume.'],
  '3F000': ['its schema is gone', RESTORE_SERVER],
  '57014': ['the server cancelled the query', 'Raise its statement_timeout for this user, then resume.'],
  ENOTFOUND: ['no host of this name is known', 'Check the host of the address.'],
};
/** A table, a column or a function that a log has, and this one has not, or otherwise. */
const MISSING = /^42(?:P01|703|883|804)$/;
const NO_PASSWORD = /client password must be a string/;
const CERTIFICATE = /certificate|SSL|self-signed/i;

/** Returns what the driver threw as the store's failure; anything else is a bug and stays what it is. */
export function failureOf(store: string, error: unknown): unknown {
  if (error instanceof LogError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const said = `(${error.message})`;
  const told = BY_CODE[code];
  if (told) return unavailable(store, `${told[0]} ${said}`, told[1], error);
  if (MISSING.test(code)) return damaged(store, error.message, error);
  if (NO_PASSWORD.test(error.message))
    return unavailable(store, 'the server asks for a password', REFUSED_USER[1], error);
  if (isLost(error)) return unavailable(store, `${NOT_REACHED[0]} ${said}`, NOT_REACHED[1], error);
  if (code === '' && !CERTIFICATE.test(error.message)) return error;
  if (/^[0-9A-Z]{5}$/.test(code)) return unavailable(store, `the server refused ${said}`, 'Look into its log.', error);
  if (CERTIFICATE.test(error.message + code))
    return unavailable(store, `no trusted connection ${said}`, 'Check sslmode and sslrootcert of the address.', error);
  return error;
}
