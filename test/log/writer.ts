import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundled } from '../support/bundled.ts';

const SCRIPT = bundled('test/log/writing.process.ts');

export interface Writer {
  readonly child: ChildProcess;
  /** What it says, value by value. */
  readonly said: AsyncIterableIterator<unknown>;
  readonly ended: Promise<unknown>;
}

type Task = 'opens' | 'writes' | 'fights' | 'waits' | 'fills' | 'takesPart';

/** Starts a process of its own that writes to a store: see `writing.process.ts` for its tasks. */
export function writer(task: Task, path: string, run: string, count = 0): Writer {
  const command = [process.execPath, SCRIPT, task, path, run, String(count)].map((word) => `'${word}'`).join(' ');
  // No file of the filling one may grow beyond 200 kB: what a full disk looks like from inside.
  const limit = task === 'fills' ? 'ulimit -f 400; ' : '';
  const child = spawn('sh', ['-c', `${limit}exec ${command}`], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(([code]) => code);
  return { child, said: valuesOf(child), ended };
}

async function* valuesOf({ stdout }: ChildProcess): AsyncIterableIterator<unknown> {
  if (stdout) for await (const line of createInterface(stdout)) yield JSON.parse(line);
}
