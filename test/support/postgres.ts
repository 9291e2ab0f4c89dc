import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** The user of the database, who may do everything there. */
const USER = 'loopfold';
const SYSTEM_USER = 'postgres';
const isRoot = process.getuid?.() === 0;
const NEEDED = ['initdb', 'postgres'];

/** Where Debian and others put the programs of the newest version; null where there are none. */
function findPrograms(): string | null {
  const beside = (process.env['PATH'] ?? '').split(':');
  const debian = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const found = [...debian.toReversed(), ...beside].find((folder) =>
    NEEDED.every((name) => isFile(join(folder, name))),
  );
  return found ?? null;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const programs = findPrograms();
/** Why the tests of a server are left out, or null. */
export const withoutPostgres: string | null = programs === null ? 'left out: no PostgreSQL' : null;

export interface TestServer {
  readonly port: number;
  /** The address of a log in a schema of the database `postgres`. */
  readonly url: (schema: string) => string;
  /** A connection, closed by the caller. */
  readonly connect: () => Promise<pg.Client>;
  /** Stops it at once, as a crash does, and starts it again. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a server on the loopback, in a folder of its own. `isDurable`: commits are synced. */
export async function startPostgres(isDurable = false): Promise<TestServer> {
  const folder = mkdtempSync(join(searchable(tmpdir()), 'loopfold-postgres-'));
  const data = join(folder, 'data');
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  run('initdb', ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', autovacuum: 'off', fsync: isDurable };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = () => asUser('postgres', ['-D', data, '-p', String(port), ...flags]);
  const connect = () => connected(port);
  let child = start();
  const remove = () => {
    child.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  // Also where the run of tests is cut off.
  process.once('exit', remove);
  await ready(connect);
  return {
    port,
    url: (schema) => `postgres://${USER}@127.0.0.1:${port}/postgres?schema=${schema}`,
    connect,
    crash: async () => {
      await ended(child, 'SIGQUIT');
      child = start();
      await ready(connect);
    },
    stop: async () => {
      process.removeListener('exit', remove);
      await ended(child, 'SIGINT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The nearest folder above that every user of the machine may pass. */
export function searchable(place: string): string {
  for (let folder = place; ; folder = dirname(folder)) {
    const ancestors = ancestorsOf(folder);
    if (!isRoot || ancestors.every((one) => (statSync(one).mode & 0o001) !== 0)) return folder;
  }
}

function ancestorsOf(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestorsOf(above)];
}

/** The server refuses to run as root. */
const asCalled = (program: string, flags: readonly string[]): readonly [string, readonly string[]] => {
  const path = join(programs ?? '', program);
  const setpriv = [`--reuid=${SYSTEM_USER}`, `--regid=${SYSTEM_USER}`, '--clear-groups', path];
  return isRoot ? ['setpriv', [...setpriv, ...flags]] : [path, flags];
};

function run(program: string, flags: readonly string[]): void {
  const [file, words] = asCalled(program, flags);
  execFileSync(file, words, { stdio: 'pipe' });
}

function asUser(program: string, flags: readonly string[]): ChildProcess {
  const [file, words] = asCalled(program, flags);
  return spawn(file, words, { stdio: 'ignore' });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill(signal);
  await end;
}

const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' }));

async function connected(port: number): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: USER, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function ready(connect: () => Promise<pg.Client>): Promise<void> {
  for (;;) {
    const client = await connect().catch(() => null);
    if (client) return client.end();
    await delay(20);
  }
}
