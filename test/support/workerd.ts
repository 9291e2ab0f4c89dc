import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { bundleAlone } from '../../src/build/bundle.ts';
import { KERNEL } from '../../src/build/entries.ts';
import { freePort } from './free-port.ts';

/** Where `npm ci --prefix test/hosts` puts the program. */
const PROGRAM = 'test/hosts/node_modules/@cloudflare/workerd-*/bin/workerd';
const root = join(import.meta.dirname, '..', '..');
const EXAMPLE = join(root, 'docs/examples/durable-object');
const [program] = globSync(PROGRAM, { cwd: root }).map((path) => join(root, path));

/** Why the tests of Durable Objects are left out, or null. */
export const withoutWorkerd: string | null =
  program !== undefined && existsSync(program) ? null : 'left out: no workerd (npm ci --prefix test/hosts)';

export interface Workerd {
  /** Asks the worker, and resolves with its answer. */
  readonly ask: (path: string, body?: unknown) => Promise<unknown>;
  /** Kills it, and starts it again over the same folder. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const LOOK_MS = 50;

/** Serves the example of a Durable Object on the loopback. `ports`: where its services listen. */
export async function startWorkerd(ports: { readonly model: number; readonly channel: number }): Promise<Workerd> {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-workerd-'));
  mkdirSync(join(folder, 'runs'));
  await bundleWorker(folder);
  const port = await freePort();
  const config = readFileSync(join(EXAMPLE, 'worker.capnp'), 'utf8')
    .replace('127.0.0.1:8787', `127.0.0.1:${port}`)
    .replace('127.0.0.1:8788', `127.0.0.1:${ports.model}`)
    .replace('127.0.0.1:8789', `127.0.0.1:${ports.channel}`);
  writeFileSync(join(folder, 'worker.capnp'), config);
  const start = () => spawn(program ?? '', ['serve', 'worker.capnp'], { cwd: folder, stdio: 'ignore' });
  let child = start();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, 'exit');
    child.kill('SIGKILL');
    await end;
  };
  const address = `http://127.0.0.1:${port}`;
  await untilAnswering(address);
  return {
    ask: async (path, body) => {
      const how = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      return (await fetch(`${address}${path}`, how)).json();
    },
    crash: async () => {
      await kill();
      child = start();
      await untilAnswering(address);
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The worker as its users bundle it: over the kernel that is published. */
async function bundleWorker(folder: string): Promise<void> {
  const kernel = join(folder, 'kernel.mjs');
  await bundleAlone({ root, entry: KERNEL, file: kernel });
  const bundle = await rolldown({
    input: join(EXAMPLE, 'worker.ts'),
    platform: 'browser',
    external: [/^node:/],
    resolve: { alias: { 'loopfold/kernel': kernel, xstate: join(root, 'node_modules/xstate') } },
    tsconfig: false,
    logLevel: 'silent',
  });
  await bundle.write({ file: join(folder, 'worker.mjs'), format: 'esm', codeSplitting: false });
  await bundle.close();
}

async function untilAnswering(url: string): Promise<void> {
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await delay(LOOK_MS);
}
