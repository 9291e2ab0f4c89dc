import type { BigIntStats } from 'node:fs';

/** Of all runs of this process. What was longest not looked at is forgotten first. */
const MAX_SEEN = 10_000;

const seen = new Map<string, string>();

/** Changes with every change of what a file holds, as far as the file system can tell. */
export const stampOf = ({ dev, ino, size, mtimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs].join(':');

/** Remembers how a file was when a run last read or wrote it. After a restart nothing is known, and nothing claimed. */
export function see(effect: string, real: string, stamp: string): void {
  const key = keyOf(effect, real);
  seen.delete(key);
  seen.set(key, stamp);
  const [oldest] = seen.keys();
  if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
}

/** Whether the file changed since the run last saw it: replacing it would undo the changes of another process. */
export function isStale(effect: string, real: string, stamp: string): boolean {
  const known = seen.get(keyOf(effect, real));
  return known !== undefined && known !== stamp;
}

/** An effect's id begins with its run. */
const keyOf = (effect: string, real: string): string => `${effect.split('/', 1)[0]}\0${real}`;
