import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './driver.ts';
import { isLost, isTransient } from './server-failure.ts';

/** One piece of work inside a transaction. */
export interface Work {
  /**
   * Answers in the order of the jobs. `isAgain`: the connection was lost while the same work was under way, and it may
   * have been done.
   */
  run(client: Client, isAgain: boolean): Promise<void>;
  /** One statement, which is a transaction of its own. */
  readonly isAtomic: boolean;
}

/** A write that waits. Its answer is given once the transaction is committed. */
export interface WriteJob {
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
}

export interface AroundGroups<Job extends WriteJob> {
  /** A connection that is held, and made anew where it was lost. */
  readonly connect: () => Promise<Client>;
  /** The pieces of work of some jobs, in their order. */
  readonly worksOf: (jobs: readonly Job[]) => readonly Work[];
  /** Nothing waits any more: the connection need not keep the process alive. */
  readonly settled: () => void;
  /** Forgets what was learned in a transaction that was not committed. */
  readonly rolledBack: () => void;
}

/** The most writes that share a commit. */
const MAX_GROUP_JOBS = 256;
/** The time that writes wait for a server that is gone: it may be starting anew. */
export const RECONNECT_FOR_MS = 30_000;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** The number of times that a transaction is tried which the server takes back because of another one. */
const MAX_TRIES = 10;

/**
 * Group commit over one connection: everything that this process asks for while a transaction is under way is the next
 * one. So calls take effect in the order in which they were made.
 */
export class GroupWriter<Job extends WriteJob> {
  readonly #around: AroundGroups<Job>;
  #queue: Job[] = [];
  #draining: Promise<void> | null = null;

  constructor(around: AroundGroups<Job>) {
    this.#around = around;
  }

  add(job: Job): void {
    this.#queue.push(job);
    this.#draining ??= this.#drain();
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // What is asked for in the same turn of the event loop belongs together.
    await new Promise(setImmediate);
    while (this.#queue.length > 0) await this.#commit(this.#queue.splice(0, MAX_GROUP_JOBS), false);
    this.#draining = null;
    this.#around.settled();
  }

  async #commit(jobs: readonly Job[], mayBeDone: boolean): Promise<void> {
    const until = performance.now() + RECONNECT_FOR_MS;
    let isAgain = mayBeDone;
    for (let [tries, pauseMs] = [1, FIRST_PAUSE_MS]; ; tries += 1) {
      try {
        await this.#perform(jobs, isAgain);
        for (const job of jobs) job.committed();
        return;
      } catch (error) {
        this.#around.rolledBack();
        if (isLost(error)) {
          if (performance.now() > until) return fail(jobs, error);
          isAgain = true;
          await sleep(pauseMs);
          pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
        } else if (jobs.length > 1) {
          // One of the jobs failed. Run alone, each gets its own result.
          for (const job of jobs) await this.#commit([job], isAgain);
          return;
        } else if (!isTransient(error) || tries >= MAX_TRIES) return fail(jobs, error);
      }
    }
  }

  async #perform(jobs: readonly Job[], isAgain: boolean): Promise<void> {
    const client = await this.#around.connect();
    const works = this.#around.worksOf(jobs);
    const [only] = works;
    if (works.length === 1 && only?.isAtomic) return only.run(client, isAgain);
    await client.query('BEGIN');
    try {
      for (const work of works) await work.run(client, isAgain);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }
}

const fail = (jobs: readonly WriteJob[], error: unknown): void => {
  for (const job of jobs) job.failed(error);
};
