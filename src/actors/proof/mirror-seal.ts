import { appendFile, lstat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { ownEnvironment } from '../../text/own-programs.ts';

// A process of the user can write into what a proof keeps, and put the times back that are its to set. When the system
// has changed an inode last is not: what was changed since our own last writing ended was changed by another process.

/** What a proof keeps from one verification to the next, in its folder. */
export const SEALED: readonly string[] = ['mirror', 'index'];
/** Beside them, sealed by itself: what the checks of the start have built, by the number of its cache. */
export const FILLED = 'filled';
/** A file whose only use is to ask the clock of its file system. */
const CLOCK = 'clock';
/** A clock of files that stands for longer goes by seconds. */
const MAX_TICK_MS = 50;
const LOOK_TIMEOUT_MS = 60_000;

export interface Seal {
  /** By the clock of files, in ns since 1970: whatever changes from then on is no writing of ours. */
  readonly since: bigint;
  readonly inodes: string;
}

/**
 * Says from when on every change is another process's. That is a moment after our last writing: within one tick of the
 * clock nothing tells the two apart. Null: its clock is too coarse.
 */
export async function sealOf(folder: string, names: readonly string[] = SEALED): Promise<Seal | null> {
  const written = await clockOf(folder);
  const end = performance.now() + MAX_TICK_MS;
  while (performance.now() < end) {
    await delay(1);
    const since = await clockOf(folder);
    if (since > written) return { since, inodes: await inodesOf(folder, names) };
  }
  return null;
}

/** Whether nothing was changed since. Null: that cannot be known, as where this system has no GNU `find`. */
export async function isUntouched(
  folder: string,
  { since, inodes }: Seal,
  names: readonly string[] = SEALED,
): Promise<boolean | null> {
  const now = await clockOf(folder).catch(() => null);
  // A clock that was set back would let a change look older.
  if (now === null || now < since || (await inodesOf(folder, names)) !== inodes) return false;
  const asked = [...names, '-newerct', `@${secondsText(since - 1n)}`, '-print', '-quit'];
  const { failed, stdout } = await execa('find', asked, {
    cwd: folder,
    env: ownEnvironment(),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: LOOK_TIMEOUT_MS,
  });
  if (stdout !== '') return false;
  return failed ? null : true;
}

async function clockOf(folder: string): Promise<bigint> {
  const file = join(folder, CLOCK);
  await appendFile(file, '');
  await utimes(file, 0, 0);
  return (await lstat(file, { bigint: true })).ctimeNs;
}

/** What lies in another folder that took the place of ours has other ones. */
async function inodesOf(folder: string, names: readonly string[]): Promise<string> {
  const found = await Promise.all(
    names.map((name) => lstat(join(folder, name), { bigint: true }).catch(() => ({ dev: 0n, ino: 0n }))),
  );
  return found.map(({ dev, ino }) => `${dev}:${ino}`).join();
}

const NS_IN_SECOND = 1_000_000_000n;
const NS_DIGITS = 9;
const secondsText = (ns: bigint): string =>
  `${ns / NS_IN_SECOND}.${String(ns % NS_IN_SECOND).padStart(NS_DIGITS, '0')}`;
