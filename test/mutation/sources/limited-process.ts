import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';
import type { Said, Tries } from './tries.ts';

/** Of its heap: tests have less than a fifth of it. */
const MAX_HEAP_MB = 512;
export const LIMITED = 'limited';

/**
 * A process of vitest that ends where an edit takes all its memory, or its time without end. That ends one pass over
 * the tests, and not the command.
 */
export class LimitedProcess implements PoolWorker {
  readonly name = LIMITED;
  readonly #options: PoolOptions;
  readonly #tries: Tries;
  readonly #forwarded = new Map<unknown, (message: unknown) => void>();
  #child: ChildProcess | null = null;
  #isStopping = false;

  constructor(options: PoolOptions, tries: Tries) {
    this.#options = options;
    this.#tries = tries;
  }

  start(): Promise<void> {
    const { distPath, env, execArgv } = this.#options;
    this.#child = fork(join(distPath, 'workers/forks.js'), [], {
      env,
      execArgv: [...execArgv, `--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
      // What is printed under an edit is not shown.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // It is closed then, too.
    this.#child.on('error', () => {});
    this.#child.on(CLOSED, (code, signal) => {
      if (!this.#isStopping) this.#tries.died(WHY[signal ?? ''] ?? `it ends its process with ${signal ?? code}`);
    });
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  on(event: string, callback: (...told: unknown[]) => void): void {
    if (event === 'error') return;
    if (event === 'message') this.#forwarded.set(callback, (message) => this.#hear(message, callback));
    this.#child?.on(nameOf(event), this.#forwarded.get(callback) ?? callback);
  }

  off(event: string, callback: (...told: unknown[]) => void): void {
    this.#child?.off(nameOf(event), this.#forwarded.get(callback) ?? callback);
  }

  send(message: WorkerRequest): void {
    this.#child?.send(message, () => {});
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  #hear(message: unknown, callback: (message: unknown) => void): void {
    if (isSaid(message)) this.#tries.said(message.$said);
    else callback(message);
  }
}

/** Comes when all that the process has said is read; its exit may come before that. */
const CLOSED = 'close';
const nameOf = (event: string): string => (event === 'exit' ? CLOSED : event);

/** By the signal that ends it: from its overtime, or from V8. */
const WHY: Readonly<Record<string, string>> = {
  SIGKILL: 'it goes round for ever',
  SIGABRT: `it needs more than ${MAX_HEAP_MB} MB of memory`,
};

const isSaid = (message: unknown): message is { readonly $said: Said } =>
  typeof message === 'object' && message !== null && '$said' in message;
