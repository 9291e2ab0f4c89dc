import { lstat } from 'node:fs/promises';
import { errorCode } from '../text/error-code.ts';
import { foldersOf } from '../evidence/workspace-paths.ts';
import { lstatSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { type GitCall, gitFacts } from './process/git.ts';

/** Names that are never written, however they are spelt: git's records and ours. */
const RESERVED = /^\.(git|loopfold)$/i;

/** A path below a folder, by its bytes: file names need not be text. */
export function bytesOf(root: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
}

/** Whether a path may be written at all: it stays below its root, and is neither git's nor ours. */
export const isOrdinary = (name: string): boolean =>
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !RESERVED.test(part));

/** Whether two names differ by case at most: some file systems take them for one. */
export const isSpelledAlike = (one: string, other: string): boolean => folded(one) === folded(other);

const folded = (name: string) => Buffer.from(name, 'latin1').toString().normalize('NFC').toLowerCase();

/** What is at a path; null: nothing. A symbolic link is not followed. */
export async function statOf(path: Buffer) {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** Differs as soon as a file is written, replaced or given another mode. Null: there is no file, nor behind a link. */
export async function signatureOf(root: string, name: string): Promise<string | null> {
  for (const folder of foldersOf(name)) if (!(await statOf(bytesOf(root, folder)))?.isDirectory()) return null;
  const stats = await statOf(bytesOf(root, name));
  // Folders are no content: what is in them has signatures of its own.
  if (!stats || stats.isDirectory()) return null;
  return [stats.ino, stats.size, stats.mtimeNs, stats.mode, stats.ctimeNs].join(' ');
}

/** The part of a signature that a new or removed hard link does not change. */
export const contentSignature = (signature: string): string => signature.replace(/ \d+$/, '');

// Files have times of their system, not of this process: of the kernel's last tick, or of a server's clock. A file that
// a run wrote in its first milliseconds can be older than the run by them.

/** At 100 ticks a second. */
const MAX_TICK_MS = 10;

/**
 * The earliest time that a file can have that was written since a time of this process, both in ms since 1970. The file
 * system is that of the repository. Where it cannot be asked, only the tick of the kernel counts.
 */
export async function earliestFileTime(since: number, call: GitCall): Promise<number> {
  return since - MAX_TICK_MS - Math.max(0, await lagOf(call).catch(() => 0));
}

/** Returns how far the clock of a file system is behind, in ms, or a little more. */
async function lagOf(call: GitCall): Promise<number> {
  const [gitDirectory = ''] = await gitFacts(['--git-dir'], call);
  // In one go: a process that does something else meanwhile would count that, too.
  const made = mkdtempSync(join(gitDirectory, 'loopfold-time-'));
  try {
    return Date.now() - lstatSync(made).ctimeMs;
  } finally {
    rmdirSync(made);
  }
}
