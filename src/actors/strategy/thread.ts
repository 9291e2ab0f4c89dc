import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { z } from 'zod';
import { Introduction, type Question, Reply, type Source } from './words.ts';

/** Compiled or not, it lies beside this file. */
const WORKER = new URL(`./worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
const MAX_HEAP_MB = 256;
/** What one strategy may print in all: it goes to stderr, where a person reads. */
const MAX_PRINTED_BYTES = 100_000;

/** What came of waiting for a word of a thread. */
export type Heard<Said> =
  | { readonly kind: 'said'; readonly said: Said }
  /** Its thread is over: it threw where nobody waited for it, or ended itself. */
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'gone'; readonly exitCode: number }
  | { readonly kind: 'stopped' };

/** A thread with one strategy in it. It is asked one thing at a time, and is ended when nobody wants the answer any more. */
export class StrategyThread {
  readonly #worker: Worker;
  #isOver = false;
  #asked = 0;

  constructor(source: Source) {
    this.#worker = new Worker(WORKER, {
      workerData: source,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      stdout: true,
      stderr: true,
    });
    this.#worker.on('error', () => this.#over()).once('exit', () => this.#over());
    this.#print();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  introduction(signal: AbortSignal): Promise<Heard<Introduction>> {
    return this.#hear(Introduction, signal);
  }

  async ask(about: Question['about'], event: unknown, signal: AbortSignal): Promise<Heard<Reply>> {
    this.#asked += 1;
    const id = this.#asked;
    this.#worker.ref();
    const heard = this.#hear(Reply, signal, (reply) => reply.id === id);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#worker.postMessage({ id, about, event } satisfies Question);
    const said = await heard;
    // Between questions it keeps no process alive.
    this.#worker.unref();
    return said;
  }

  async end(): Promise<void> {
    this.#over();
    await this.#worker.terminate();
  }

  #over(): void {
    this.#isOver = true;
  }

  /** The first word of a kind. Any other is passed over. */
  #hear<Said>(words: z.ZodType<Said>, signal: AbortSignal, isMeant: (said: Said) => boolean = () => true): Promise<Heard<Said>> {
    const worker = this.#worker;
    return new Promise((resolve) => {
      const settle = (heard: Heard<Said>) => {
        worker.off('message', listen).off('error', broken).off('exit', gone);
        signal.removeEventListener('abort', stopped);
        resolve(heard);
      };
      const listen = (message: unknown) => {
        const parsed = words.safeParse(message);
        if (parsed.success && isMeant(parsed.data)) settle({ kind: 'said', said: parsed.data });
      };
      const broken = (error: unknown) => settle({ kind: 'broken', message: String(error) });
      const gone = (exitCode: number) => settle({ kind: 'gone', exitCode });
      const stopped = () => {
        settle({ kind: 'stopped' });
        void this.end();
      };
      worker.on('message', listen).once('error', broken).once('exit', gone);
      signal.addEventListener('abort', stopped, { once: true });
      if (signal.aborted) stopped();
    });
  }

  #print(): void {
    let left = MAX_PRINTED_BYTES;
    const print = (chunk: Buffer) => {
      if (left > 0) process.stderr.write(chunk.subarray(0, left));
      left -= chunk.length;
    };
    this.#worker.stdout.on('data', print);
    this.#worker.stderr.on('data', print);
  }
}
