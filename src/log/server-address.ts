/** The place of a log on a PostgreSQL server. */
export interface ServerAddress {
  /** Without user and password: what is shown and recorded. */
  readonly store: string;
  /** The schema of the database in which the log has its tables. */
  readonly schema: string;
  /** Returns what the driver connects with. A function, because it may hold a password that no page may print. */
  readonly connection: () => string;
}

/** A variable whose value is the address: `env:NAME`. */
const FROM_VARIABLE = /^env:(.*)$/s;
const SERVER = /^postgres(?:ql)?:/;
const SCHEMA = 'schema';
const DEFAULT_SCHEMA = 'loopfold';
const DEFAULT_PORT = '5432';
/** Between quotes in SQL, nothing of them means anything else. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
/** The settings that an address may have besides the schema. None of them holds a secret. */
const SETTINGS: ReadonlySet<string> = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name']);

const SERVER_FORM = 'postgres://USER@HOST:PORT/DATABASE?schema=NAME';
const OTHER_WAYS =
  'give it by PGPASSWORD or ~/.pgpass, or put the whole address into a variable and say env:NAME (the value is not shown)';

/** Tells whether an address is meant as one of a server, well written or not. */
export const isServerAddress = (text: string): boolean => SERVER.test(text) || FROM_VARIABLE.test(text);

/**
 * Reads an address. A text says what is wrong with it, and never repeats the address: it may hold a password.
 * `environment`: where a variable is looked up. Only there an address may hold a password.
 */
export function serverAddress(
  text: string,
  environment: { readonly [variable: string]: string | undefined } = process.env,
): ServerAddress | string {
  const variable = FROM_VARIABLE.exec(text)?.[1];
  if (variable === undefined) return parsed(text, false);
  const value = environment[variable];
  if (value === undefined || value === '') return `a variable that is set: ${variable || 'the name'} is not`;
  return parsed(value, true);
}

function parsed(text: string, isHidden: boolean): ServerAddress | string {
  const url = SERVER.test(text) && URL.canParse(text) ? new URL(text) : null;
  const database = url?.pathname.slice(1) ?? '';
  if (!url || url.hostname === '' || database === '' || database.includes('/')) return SERVER_FORM;
  if (!isHidden && (url.password !== '' || url.searchParams.has('password')))
    return `${SERVER_FORM} without a password, which other users of the machine could read: ${OTHER_WAYS}`;
  const schema = url.searchParams.get(SCHEMA) ?? DEFAULT_SCHEMA;
  if (!SCHEMA_NAME.test(schema)) return 'a schema of small letters, digits and _';
  url.searchParams.delete(SCHEMA);
  const unknown = [...url.searchParams.keys()].find(
    (name) => !SETTINGS.has(name) && !(isHidden && name === 'password'),
  );
  if (unknown !== undefined) return `${SERVER_FORM} with no setting but ${[...SETTINGS].join(', ')}`;
  const connection = url.href;
  const store = `postgres://${url.hostname}:${url.port || DEFAULT_PORT}/${database}?schema=${schema}`;
  return { store, schema, connection: () => connection };
}
