import { existsSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { HASH_BYTES, indexPlaces, isKnownIndex, STAT_BYTES } from './index-entries.ts';

// The index of a capture is kept for the next one of the same run: it has each file as that capture has found it, which
// spares a copy of the user's, and the questions that this begins with.

export interface KeptIndex {
  /** A temporary folder, which goes with the index. */
  readonly folder: string;
  readonly index: string;
  /** The patterns of what was ignored when the run began, as a file. */
  readonly rules: string;
  /** Which files of the index git ignores now: as `Looked` has it. Null: it was not asked yet. */
  readonly seen: string | null;
  /** Other repositories that the run began with, in latin1. */
  readonly links: readonly string[];
  /** It has files that need not be in the worktree. */
  readonly isSparse: boolean;
  /** When the capture that has written it began to read files, in ms since 1970. Null: none has yet. */
  readonly readFrom: number | null;
  /** The capture of that index. Null: there was none yet. */
  readonly last: { readonly number: number; readonly tree: string } | null;
}

/** Indexes of a process. The oldest is removed: its run then starts from the user's index again. */
const MAX_KEPT = 64;

const kept = new Map<string, KeptIndex>();
let removesOnExit = false;

/** Keeps the index of a capture, with its folder. `key`: what a capture has to be alike in to go on from it. */
export async function keepIndex(key: string, index: KeptIndex): Promise<void> {
  if (!removesOnExit) process.once('exit', removeAll);
  removesOnExit = true;
  await dropIndex(key);
  kept.set(key, index);
  const [oldest = key] = kept.size > MAX_KEPT ? kept.keys() : [];
  if (oldest !== key) await dropIndex(oldest);
}

/** Takes the index that was kept, so that no other capture does. Null: there is none, or another process removed it. */
export async function takeIndex(key: string): Promise<KeptIndex | null> {
  const found = kept.get(key);
  if (!found) return null;
  kept.delete(key);
  if (existsSync(found.index) && existsSync(found.rules)) return found;
  await removeIndex(found);
  return null;
}

async function dropIndex(key: string): Promise<void> {
  const found = kept.get(key);
  kept.delete(key);
  if (found) await removeIndex(found);
}

export const removeIndex = ({ folder }: KeptIndex): Promise<void> => rm(folder, { recursive: true, force: true });

function removeAll(): void {
  for (const { folder } of kept.values()) rmSync(folder, { recursive: true, force: true });
}

// Git compares times in whole seconds. A file that is written again in the second in which it was read, with its size
// and its time put back, looks to it as it did. What only the system sets, the time of the last change of the inode,
// tells such files: those that were young when the index was written are read again by the next capture.

/** The clock of files is behind that of this process by up to a tick of the kernel, at 100 ticks a second. */
const MAX_TICK_MS = 10;

const TIMES_BYTES = 16;
const SIZE_AT = 36;

/**
 * Has git forget what it knows of the files of an index that changed since a time, in ms since 1970, or later: it then
 * reads them. Returns false, and leaves it, where it is in a form that this does not know.
 */
export async function distrustYoung(index: string, since: number, format: string): Promise<boolean> {
  const bytes = await readFile(index);
  const hashBytes = HASH_BYTES[format];
  if (hashBytes === undefined || !isKnownIndex(bytes)) return false;
  const second = Math.floor((since - MAX_TICK_MS) / 1000);
  let isAny = false;
  for (const { start } of indexPlaces(bytes, hashBytes)) {
    if (bytes.readUInt32BE(start) < second) continue;
    bytes.fill(0, start, start + TIMES_BYTES).fill(0, start + SIZE_AT, start + STAT_BYTES);
    isAny = true;
  }
  if (!isAny) return true;
  const end = bytes.length - hashBytes;
  createHash(format).update(bytes.subarray(0, end)).digest().copy(bytes, end);
  await writeFile(index, bytes);
  return true;
}
