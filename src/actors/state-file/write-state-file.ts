import { randomBytes } from 'node:crypto';
import { constants, mkdirSync, renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { digestOf, folderFault, type FoundFile, readStateFile } from './read-state-file.ts';
import { draftOf } from '../../text/own-files.ts';

const DRAFT_BYTES = 8;
const DRAFTING = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export type WrittenFile =
  | { readonly kind: 'written'; readonly digest: string }
  /** Somebody has changed it since it was read: it was left alone. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'unwritable'; readonly reason: string };

/**
 * Replaces a state file as a whole, so that readers see the old or the new text, and a crash leaves one of the two.
 * Only the file that was found there before is replaced. Does not throw.
 */
export async function writeStateFile(path: string, text: string, before: FoundFile): Promise<WrittenFile> {
  const folder = dirname(path);
  // Captures leave out files of this name, and file tools do not list them.
  const draft = join(folder, draftOf(randomBytes(DRAFT_BYTES).toString('hex')));
  try {
    mkdirSync(folder, { recursive: true });
    const fault = folderFault(path);
    if (fault) return { kind: 'unwritable', reason: fault };
    {
      await using file = await open(draft, DRAFTING, 0o644);
      await file.writeFile(text);
      await file.sync();
    }
    if (!isSame(before, readStateFile(path))) {
      await rm(draft, { force: true });
      return { kind: 'changed' };
    }
    renameSync(draft, path);
    await syncFolder(folder);
    return { kind: 'written', digest: digestOf(text) };
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    return { kind: 'unwritable', reason: `it cannot be written: ${errorCode(error) ?? String(error)}` };
  }
}

/** A power cut must not undo the renaming. Where the system syncs no folder, the file is as safe as it can be. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using opened = await open(folder, constants.O_RDONLY);
    await opened.sync();
  } catch {
    // The file is written, whatever became of its folder.
  }
}

const isSame = (one: FoundFile, other: FoundFile): boolean =>
  one.kind === 'text' && other.kind === 'text' ? one.digest === other.digest : one.kind === other.kind;
