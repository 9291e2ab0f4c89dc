import type { DatabaseSync, StatementSync } from 'node:sqlite';

interface Job {
  readonly work: () => void;
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
}

export interface AroundWrites {
  /** Before each transaction. What it throws fails every write of it. */
  readonly before: () => void;
  readonly rolledBack: () => void;
  /** What the callers of failed writes get. */
  readonly failureOf: (error: unknown) => unknown;
}

/** How many writes share a commit at most: it bounds how long other processes wait. */
const MAX_GROUP_JOBS = 512;

/** Group commit: all writes that the runs of this process request in one turn of the event loop are one transaction. */
export class Writer {
  readonly #around: AroundWrites;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  #queue: Job[] = [];

  constructor(db: DatabaseSync, around: AroundWrites) {
    this.#around = around;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
  }

  /**
   * Does work inside the next transaction and answers once that is durable. The work may be done twice, after a
   * rollback, so it changes nothing but the database; `committed` runs before the promise resolves.
   */
  write<T>(work: () => T, committed?: (result: T) => void): Promise<T> {
    return new Promise<T>((resolve, failed) => {
      let result: { readonly value: T } | null = null;
      const job: Job = {
        work: () => {
          result = { value: work() };
        },
        committed: () => {
          if (result === null) return failed(new Error('committed without having been done'));
          committed?.(result.value);
          resolve(result.value);
        },
        failed: (error) => failed(this.#around.failureOf(error)),
      };
      if (this.#queue.push(job) === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits what waits. */
  flush(): void {
    while (this.#queue.length > 0) this.#commitGroup(this.#queue.splice(0, MAX_GROUP_JOBS));
  }

  #commitGroup(jobs: readonly Job[]): void {
    const failure = this.#perform(jobs);
    if (failure === null) {
      for (const job of jobs) job.committed();
    } else if (failure.at === 'work' && jobs.length > 1) {
      // One of the jobs failed. Run alone, each gets its own result.
      for (const job of jobs) this.#commitGroup([job]);
    } else {
      for (const job of jobs) job.failed(failure.error);
    }
  }

  #perform(jobs: readonly Job[]): { readonly at: 'work' | 'transaction'; readonly error: unknown } | null {
    let at: 'work' | 'transaction' = 'transaction';
    try {
      this.#around.before();
      this.#begin.run();
      at = 'work';
      for (const { work } of jobs) work();
      at = 'transaction';
      this.#commit.run();
      return null;
    } catch (error) {
      this.#abandon();
      return { at, error };
    }
  }

  #abandon(): void {
    this.#around.rolledBack();
    try {
      this.#rollback.run();
    } catch {
      // SQLite has rolled back by itself, or never began.
    }
  }
}
