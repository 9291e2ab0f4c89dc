import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** What a thread is told when it starts: whose module to load, and what to make with it. */
export interface Source {
  readonly url: string;
  readonly strategyName: string;
  readonly config: unknown;
}

/** What it is asked. `event` is plain data: it crosses to another thread. */
export interface Question {
  readonly id: number;
  readonly about: 'iteration' | 'end';
  readonly event: unknown;
}

/** What the thread reports of the module, once. Messages that the module itself writes to the port are ignored. */
export const Introduction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), name: z.string() }),
  z.strictObject({ kind: z.literal('not_loaded'), message: z.string() }),
  z.strictObject({ kind: z.literal('not_exported'), exports: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('not_made'), message: z.string() }),
  z.strictObject({ kind: z.literal('incomplete'), lacks: z.string(), found: z.string() }),
]);
export type Introduction = z.infer<typeof Introduction>;

/** What it says to a question. */
export const Reply = z.discriminatedUnion('kind', [
  z.strictObject({ id: z.int(), kind: z.literal('answer'), answer: z.unknown() }),
  z.strictObject({ id: z.int(), kind: z.literal('threw'), message: z.string() }),
  z.strictObject({ id: z.int(), kind: z.literal('no_data'), message: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;

/** Compiled or not, it lies beside this file. */
const WORKER = new URL(`./strategy-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
const MAX_HEAP_MB = 256;
/** What one strategy may print in all: it goes to stderr, where a person reads. */
const MAX_PRINTED_BYTES = 100_000;

/** What came of waiting for a word of a thread. */
export type ThreadResult<Said> =
  | { readonly kind: 'said'; readonly said: Said }
  /** Its thread is over: it threw an uncaught error, or ended itself. */
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'gone'; readonly exitCode: number }
  | { readonly kind: 'stopped' };

/**
 * A thread with one strategy in it. It is asked one question at a time, and is ended when the answer is no longer
 * needed.
 */
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

  introduction(signal: AbortSignal): Promise<ThreadResult<Introduction>> {
    return this.#receive(Introduction, signal);
  }

  async ask(about: Question['about'], event: unknown, signal: AbortSignal): Promise<ThreadResult<Reply>> {
    this.#asked += 1;
    const id = this.#asked;
    this.#worker.ref();
    const received = this.#receive(Reply, signal, (reply) => reply.id === id);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#worker.postMessage({ id, about, event } satisfies Question);
    const said = await received;
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
  #receive<Said>(
    schema: z.ZodType<Said>,
    signal: AbortSignal,
    isMeant: (said: Said) => boolean = () => true,
  ): Promise<ThreadResult<Said>> {
    const worker = this.#worker;
    return new Promise((resolve) => {
      const settle = (received: ThreadResult<Said>) => {
        worker.off('message', listen).off('error', broken).off('exit', gone);
        signal.removeEventListener('abort', stopped);
        resolve(received);
      };
      const listen = (message: unknown) => {
        const parsed = schema.safeParse(message);
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
