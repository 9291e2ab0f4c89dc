import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { searchable } from './postgres.ts';

const LOOK_MS = 50;
const AS_USER = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];

/** Why tests of a pool in front of a server are left out, or null. */
export const withoutPooler: string | null =
  spawnSync('pgbouncer', ['--version']).status === 0 ? null : 'left out: no pgbouncer';

/** Starts pgbouncer in front of a server, with a session for each connection. Resolves with its port. */
export async function startPooler(serverPort: number): Promise<{ port: number; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(searchable(tmpdir()), 'loopfold-pooler-'));
  const port = await freePort();
  const file = join(folder, 'pooler.ini');
  const lines = [
    '[databases]',
    `postgres = host=127.0.0.1 port=${serverPort} user=loopfold`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    'pool_mode = session',
    'unix_socket_dir =',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  chmodSync(folder, 0o755);
  const [program = 'pgbouncer', ...words] = [...AS_USER, 'pgbouncer', file];
  const child: ChildProcess = spawn(program, words, { stdio: 'ignore' });
  const isUp = async () => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'loopfold', database: 'postgres' });
    client.on('error', () => {});
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  };
  while (!(await isUp()) && child.exitCode === null) await delay(LOOK_MS);
  return {
    port,
    stop: async () => {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
