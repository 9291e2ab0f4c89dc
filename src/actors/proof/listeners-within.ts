import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Server } from 'node:net';
import { ownEnvironment } from '../../text/own-programs.ts';

/** Listens on ports of a network, and hands each socket to the process that started it. */
const SCRIPT = `
const { createServer } = require('node:net');
const [, ...ports] = process.argv;
for (const port of ports) {
  const server = createServer().listen({ port: Number(port), host: '127.0.0.1' }, () =>
    process.send({ asked: Number(port), port: server.address().port }, server));
  server.on('error', (error) => process.send({ asked: Number(port), error: error.message }));
}
process.on('disconnect', () => process.exit());
`;
const LISTENING_TIMEOUT_MS = 10_000;

/** A socket that listens in a network behind walls. Connections are accepted outside. */
export interface Listener {
  /** The port that was asked for: 0 for any. */
  readonly asked: number;
  readonly port: number;
  readonly server: Server;
}

/** Listens on ports of the loopback of walls. Throws an `Error` where that cannot be. */
export async function listenWithin(holder: number, ports: readonly number[]): Promise<readonly Listener[]> {
  const entering = ['--user', '--preserve-credentials', '--net', '--target', String(holder)];
  const child = spawn('nsenter', [...entering, process.execPath, '-e', SCRIPT, ...ports.map(String)], {
    cwd: '/',
    env: ownEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    return await handedBy(child, ports.length);
  } finally {
    if (child.connected) child.disconnect();
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  }
}

async function handedBy(child: ChildProcess, count: number): Promise<readonly Listener[]> {
  const handed: Listener[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => reject(new Error('no port was opened in time')), LISTENING_TIMEOUT_MS);
  child.once('error', reject).once('exit', () => reject(new Error('the network of the walls cannot be entered')));
  child.on('message', (message: { readonly asked: number; readonly port: number; readonly error?: string }, server) => {
    if (message.error !== undefined || !(server instanceof Server))
      reject(new Error(message.error ?? 'no socket came'));
    else handed.push({ asked: message.asked, port: message.port, server });
    if (handed.length === count) resolve();
  });
  try {
    await promise;
  } catch (error) {
    for (const { server } of handed) server.close();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return handed;
}
