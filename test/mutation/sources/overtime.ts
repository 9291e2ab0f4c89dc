import { Worker } from 'node:worker_threads';

/**
 * Of processor time. A try that waits is cut off by the thread that it has; this is for one that never gives it back,
 * and in which V8 has threads of its own at work.
 */
const MARGIN_MS = 5_000;
const NONE = 0;

/** Ends this process with SIGKILL where a try has it for too long: a thread beside it looks. */
export class Overtime {
  /** The processor time, in milliseconds since the process began, that it may have taken. */
  readonly #maxMs = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  constructor() {
    new Worker(new URL('overtime.worker.ts', import.meta.url), { workerData: this.#maxMs, execArgv: [] }).unref();
  }

  begin(ms: number): void {
    const { user, system } = process.cpuUsage();
    Atomics.store(this.#maxMs, 0, Math.ceil((user + system) / 1000 + ms + MARGIN_MS));
  }

  end(): void {
    Atomics.store(this.#maxMs, 0, NONE);
  }
}
