import type { DatabaseSync } from 'node:sqlite';
import { statement } from './statement.ts';

/** How soon a follower sees what another process wrote, at the latest. */
const FOLLOW_POLL_MS = 50;

/** Detects commits of other processes, while at least one follower has started it. */
export class Poll {
  readonly #dataVersion;
  readonly #changed: () => void;
  #lookers = 0;
  #seen: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: DatabaseSync, changed: () => void) {
    this.#dataVersion = statement<[], { data_version: number }>(db, 'PRAGMA data_version');
    this.#changed = changed;
  }

  start(): void {
    this.#lookers += 1;
    if (this.#lookers > 1) return;
    this.#seen = this.#read();
    this.#timer = setInterval(() => this.#look(), FOLLOW_POLL_MS);
  }

  stop(): void {
    this.#lookers -= 1;
    if (this.#lookers === 0) clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.#read();
    if (now !== null && now === this.#seen) return;
    this.#seen = now;
    this.#changed();
  }

  /** Null when it cannot be read: the follower that is woken reads, and gets the error. */
  #read(): number | null {
    try {
      return this.#dataVersion.get()?.data_version ?? null;
    } catch {
      return null;
    }
  }
}
