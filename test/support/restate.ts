import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** Where `npm ci --prefix test/hosts` puts the server. */
const PROGRAM = 'test/hosts/node_modules/@restatedev/restate-server-*/bin/restate-server';
const root = join(import.meta.dirname, '..', '..');
const [program] = globSync(PROGRAM, { cwd: root }).map((path) => join(root, path));

/** Why the tests of a server are left out, or null. */
export const withoutRestate: string | null =
  program !== undefined && existsSync(program) ? null : 'left out: no Restate (npm ci --prefix test/hosts)';

export interface RestateServer {
  /** The address of its ingress. */
  readonly ingress: string;
  /** Calls a handler of a virtual object, and resolves with its answer. */
  readonly call: (run: string, handler: string, body?: unknown) => Promise<unknown>;
  /** Posts to a handler of any service, by its path below the ingress, and resolves with its answer. */
  readonly post: (path: string, body: unknown) => Promise<unknown>;
  /** Rows of its tables of what it knows, by a question in SQL. */
  readonly ask: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Makes a service known that listens on this port. */
  readonly register: (port: number) => Promise<void>;
  /** Kills it, and starts it again over the same folder. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const LOOK_MS = 50;

/** Starts a server on the loopback, in a folder of its own. */
export async function startRestate(): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-restate-'));
  const [ingressPort, adminPort, fabricPort] = [await freePort(), await freePort(), await freePort()];
  const environment = {
    PATH: process.env['PATH'],
    RESTATE_BASE_DIR: folder,
    DO_NOT_TRACK: '1',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${fabricPort}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${fabricPort}`,
  };
  const start = () => spawn(program ?? '', ['--listen-mode', 'tcp'], { stdio: 'ignore', env: environment });
  let child = start();
  const remove = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  // Also where the run of tests is cut off.
  process.once('exit', remove);
  const ingress = `http://127.0.0.1:${ingressPort}`;
  const admin = `http://127.0.0.1:${adminPort}`;
  const answering = async () => {
    await untilAnswering(`${admin}/health`);
    await untilAnswering(`${ingress}/restate/health`);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, 'exit');
    child.kill('SIGKILL');
    await end;
  };
  await answering();
  return {
    ingress,
    call: (run, handler, body = null) => posted(`${ingress}/loopfold/${run}/${handler}`, body),
    post: (path, body) => posted(`${ingress}/${path}`, body),
    ask: async (query) => {
      const { rows } = (await posted(`${admin}/query`, { query })) as { rows: Readonly<Record<string, unknown>>[] };
      return rows;
    },
    register: async (port) => {
      await posted(`${admin}/deployments`, { uri: `http://127.0.0.1:${port}`, force: true });
    },
    crash: async () => {
      await kill();
      child = start();
      await answering();
    },
    stop: async () => {
      process.removeListener('exit', remove);
      await kill();
      remove();
    },
  };
}

async function posted(url: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

async function untilAnswering(url: string): Promise<void> {
  while (
    !(await fetch(url)
      .then(({ ok }) => ok)
      .catch(() => false))
  )
    await delay(LOOK_MS);
}
