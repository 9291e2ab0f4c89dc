import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../log/log.ts';

/** The longest time until a worker looks again: a lease that expires tells it nothing. */
const LOOK_MS = 2_000;
/** The shortest time between two looks, however much is written. */
const PAUSE_MS = 50;

/** The looks of a worker at what has changed in its log. */
export class QueueLook {
  readonly #log: Log;
  /** Up to where it has seen the log. Null: nothing of it. */
  #position: number | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Makes due what waits for a person and has its answer: of all trees at the first look, then of those with news. */
  async stir(): Promise<void> {
    const before = this.#position;
    const { position, trees } = await this.#log.changes(before);
    const roots = before === null ? null : [...trees, ...(await this.#log.waitingTrees())];
    if (roots === null || roots.length > 0) await this.#log.stir(roots);
    this.#position = position;
  }

  /** Resolves when something may be due. */
  async next(signal: AbortSignal): Promise<void> {
    await this.#log.stirred(signal, LOOK_MS);
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}
