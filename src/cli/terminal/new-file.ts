import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, lstat, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWN_FILE } from '../../log/own-folder.ts';
import { draftOf } from '../../text/own-files.ts';

const DRAFT_BYTES = 8;

/**
 * Makes a file of pieces, of any size: under its name there is the whole of it or nothing. A file that exists stays.
 * Only its user may read it, like the log that it is made of. Rejects as the pieces do, or with the system's error.
 */
export async function writeNew(path: string, pieces: AsyncIterable<Uint8Array>): Promise<'written' | 'exists'> {
  if (await lstat(path).catch(() => null)) return 'exists';
  // Captures leave out files of this name, and `gc` removes those of killed processes.
  const draft = join(dirname(path), draftOf(randomBytes(DRAFT_BYTES).toString('hex')));
  const discard = () => rmSync(draft, { force: true });
  process.once('exit', discard);
  try {
    {
      await using file = await open(draft, 'wx', OWN_FILE);
      await writeFile(file, pieces);
      await file.sync();
    }
    return await named(draft, path);
  } finally {
    discard();
    process.off('exit', discard);
  }
}

/** A link replaces no file that was made meanwhile. Some file systems have none. */
async function named(draft: string, path: string): Promise<'written' | 'exists'> {
  try {
    await link(draft, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'exists';
    await rename(draft, path);
  }
  return 'written';
}
