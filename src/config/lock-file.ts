import { randomUUID } from 'node:crypto';
import { link, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** What is done under a lock takes milliseconds: the process of an older one was killed. */
const ABANDONED_MS = 5_000;
const MAX_WAIT_MS = 15_000;
const POLL_MS = 10;

/**
 * Does what no two processes may do at the same time: one that makes the lock file goes first. Throws where it cannot
 * be made, or where others keep it for 15 s.
 */
export async function underLock<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + MAX_WAIT_MS;
  while (!(await isMade(lock))) {
    if (performance.now() > deadline) throw new Error(`${lock} is there all the time. Remove it if nothing uses it.`);
    await removeAbandoned(lock);
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function isMade(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** It is put aside first: another process may have done the same, and have made its own since. */
async function removeAbandoned(lock: string): Promise<void> {
  const found = await stat(lock).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs < ABANDONED_MS) return;
  const aside = `${lock}.${randomUUID()}`;
  const isMoved = await rename(lock, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  const moved = await stat(aside).catch(() => null);
  if (moved?.ino !== found.ino) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}
