import type { ObjectContext, RestatePromise } from './sdk.ts';

/**
 * The journal of an invocation. What it answers is the same again after a crash, so that everything which is decided
 * from it is. `attempt` names this attempt of the invocation: it is used in effects alone.
 */
export class Journal {
  readonly context: ObjectContext;
  readonly attempt: string;
  #entries = 0;

  constructor(context: ObjectContext, attempt: string) {
    this.context = context;
    this.attempt = attempt;
  }

  /** How many entries it has by now. */
  get entries(): number {
    return this.#entries;
  }

  /** Does something at least once, and keeps its answer. An error is tried again by Restate. */
  run<T>(name: string, work: () => Promise<T>): RestatePromise<T> {
    this.#entries += 1;
    return this.context.run(name, work);
  }

  sleep(ms: number): RestatePromise<void> {
    this.#entries += 1;
    return this.context.sleep(Math.max(0, ms));
  }

  /** Milliseconds since 1970, not before a recorded time. */
  async now(newest = 0): Promise<number> {
    this.#entries += 1;
    return Math.max(newest, await this.context.date.now());
  }

  /** Who begins with an effect: where it was lost, another attempt finds the name of this one. */
  begins(effect: string): RestatePromise<string> {
    return this.run(`begin ${effect}`, async () => this.attempt);
  }

  /** Aborted when this attempt is over, also where Restate has lost it: nothing takes its results any more. */
  get over(): AbortSignal {
    return this.context.request().attemptCompletedSignal;
  }

  newId(): string {
    return this.context.rand.uuidv4();
  }
}
