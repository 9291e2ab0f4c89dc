import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

// Why not a package: docs/decisions/0019-dependencies.md.

/** What is done under a lock takes milliseconds: the process of one that stays for so long was killed. */
const ABANDONED_MS = 5_000;
const MAX_WAIT_MS = 15_000;
const POLL_MS = 10;

/**
 * Does what no two processes may do at the same time: one that makes the lock file goes first. Throws where it cannot
 * be made, or where others keep it for 15 s.
 */
export async function underLock<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  const own = randomUUID();
  const deadline = performance.now() + MAX_WAIT_MS;
  const watched = new WatchedLock(lock);
  while (!(await isMade(lock, own))) {
    if (performance.now() > deadline) throw new Error(`${lock} is there all the time. Remove it if nothing uses it.`);
    await watched.removeAbandoned();
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    // A process that was halted for longer may find that of another one.
    if ((await textOf(lock)) === own) await rm(lock, { force: true });
  }
}

async function isMade(lock: string, own: string): Promise<boolean> {
  try {
    await writeFile(lock, own, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A lock of another process. Its age is how long it was seen here, because the machine's clock may have been set. */
class WatchedLock {
  readonly #lock: string;
  #text: string | null = null;
  #since = 0;

  constructor(lock: string) {
    this.#lock = lock;
  }

  /** It is put aside first: another process may have done the same, and have made its own since. */
  async removeAbandoned(): Promise<void> {
    const text = await textOf(this.#lock);
    if (text === null || text !== this.#text) this.#since = performance.now();
    this.#text = text;
    if (text === null || performance.now() - this.#since < ABANDONED_MS) return;
    const aside = `${this.#lock}.${randomUUID()}`;
    const isMoved = await rename(this.#lock, aside).then(
      () => true,
      () => false,
    );
    if (!isMoved) return;
    if ((await textOf(aside)) !== text) await link(aside, this.#lock).catch(() => {});
    await rm(aside, { force: true });
  }
}

const textOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
