import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../text/error-code.ts';
import { digestOf, folderFault, type FoundFile, readStateFile } from './read-state-file.ts';
import { draftOf } from '../../text/own-files.ts';

const DRAFT_CHARACTERS = 16;
const DRAFTING = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export type WrittenFile =
  | { readonly kind: 'written'; readonly digest: string }
  /** Somebody has changed it since it was read: it was left alone. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'unwritable'; readonly reason: string };

/**
 * Replaces a state file as a whole, so that readers see the old or the new text, and a crash leaves one of the two.
 * Only the file that was found there before is replaced. Does not throw.
 *
 * Synchronous, as reading it is: by threads of the pool, its nine calls take several times the CPU.
 */
export function writeStateFile(path: string, text: string, before: FoundFile): WrittenFile {
  const folder = dirname(path);
  // Captures leave out files of this name, and file tools do not list them.
  const draft = join(folder, draftOf(randomUUID().replaceAll('-', '').slice(0, DRAFT_CHARACTERS)));
  try {
    mkdirSync(folder, { recursive: true });
    const fault = folderFault(path);
    if (fault) return { kind: 'unwritable', reason: fault };
    writeDraft(draft, text);
    if (!isSame(before, readStateFile(path))) {
      rmSync(draft, { force: true });
      return { kind: 'changed' };
    }
    renameSync(draft, path);
    syncFolder(folder);
    return { kind: 'written', digest: digestOf(text) };
  } catch (error) {
    removeDraft(draft);
    return { kind: 'unwritable', reason: `it cannot be written: ${errorCode(error) ?? String(error)}` };
  }
}

function writeDraft(draft: string, text: string): void {
  const file = openSync(draft, DRAFTING, 0o644);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // What could not be written is what is reported.
  }
}

/** A power cut must not undo the renaming. Where the system syncs no folder, the file is as safe as it can be. */
function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // The file is written, whatever became of its folder.
  }
}

const isSame = (one: FoundFile, other: FoundFile): boolean =>
  one.kind === 'text' && other.kind === 'text' ? one.digest === other.digest : one.kind === other.kind;
