import { existsSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';

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
