import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile, link } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
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
async function underLock<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
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

/**
 * Entries that a user keeps in a file, readable by this user alone. A file that another user could have written, or
 * that is out of shape, counts as empty.
 */
export class PrivateRecord<Entry> {
  readonly path: string;
  readonly #shape: z.ZodType<Readonly<Record<string, Entry>>>;

  constructor(path: string, shape: z.ZodType<Readonly<Record<string, Entry>>>) {
    this.path = path;
    this.#shape = shape;
  }

  async entries(): Promise<Readonly<Record<string, Entry>>> {
    try {
      const { uid, mode } = await stat(this.path);
      if ((process.getuid && uid !== process.getuid()) || (mode & 0o022) !== 0) return {};
      return this.#shape.parse(JSON.parse(await readFile(this.path, 'utf8')));
    } catch {
      return {};
    }
  }

  /**
   * Replaces the file whole by what a change makes of its entries, while no other process changes it. Throws what the
   * file system says where it cannot be written, and where another process keeps it locked.
   */
  async update(change: (entries: Readonly<Record<string, Entry>>) => Readonly<Record<string, Entry>>): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await underLock(`${this.path}.lock`, async () => this.#write(change(await this.entries())));
  }

  async #write(entries: Readonly<Record<string, Entry>>): Promise<void> {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}
