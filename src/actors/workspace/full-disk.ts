import { statfs } from 'node:fs/promises';

/** With less space than this left, a file that could not be written was too large for the disk. */
const FULL_BELOW_BYTES = 1024 * 1024;

/**
 * The same error, or one with the code `ENOSPC`: git says that it cannot write a file, and not why. To be asked before
 * anything is removed.
 */
export async function orFullDisk(cause: unknown, folder: string): Promise<unknown> {
  if ((await bytesLeft(folder)) >= FULL_BELOW_BYTES || !(cause instanceof Error)) return cause;
  return Object.assign(new Error(`No space left on the disk of ${folder}: ${cause.message}`), { code: 'ENOSPC' });
}

async function bytesLeft(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
