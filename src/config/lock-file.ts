import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

// Why not a package: docs/decisions/2026-11-23-lock-of-a-file.md.

/** What is done under a lock takes milliseconds: the process of an older one was killed. */
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
  while (!(await isMade(lock, own))) {
    if (performance.now() > deadline) throw new Error(`${lock} is there all the time. Remove it if nothing uses it.`);
    await removeAbandoned(lock);
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

/** It is put aside first: another process may have done the same, and have made its own since. */
async function removeAbandoned(lock: string): Promise<void> {
  const text = await textOf(lock);
  const found = await stat(lock).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs < ABANDONED_MS) return;
  const aside = `${lock}.${randomUUID()}`;
  const isMoved = await rename(lock, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  if ((await textOf(aside)) !== text) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

const textOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
