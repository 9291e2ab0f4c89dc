import { readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { jsonIn } from '../../text/json-in.ts';
import type { WorktreePlace } from './worktree-place.ts';
import { captureFolder } from '../capture/capture-folder.ts';
import { gitWorktree } from '../git-worktree.ts';
import { isBeyond } from '../capture/start-limits.ts';
import { untrackedFiles } from '../capture/secret-paths.ts';

// A worktree lies in the folder of its user, and a command can leave it by path. So what is around it is looked at
// before anything works in it, and again afterwards. It is kept beside the worktree for a process that resumes the run.

const OriginState = z.strictObject({
  /** The hash of the tree of the folder that the worktree was made from. Null: its files were not looked at. */
  files: z.string().nullable(),
  /** What git goes by there: hashes by name. */
  settings: z.record(z.string(), z.string()),
  /** Its branches and tags. Null: they were not looked at. */
  refs: z.record(z.string(), z.string()).nullable(),
});
export type OriginState = z.infer<typeof OriginState>;

/** What this process has seen counts: any command can write to the file. */
const seen = new Map<string, OriginState>();

/** Keeps what was around a worktree. Throws the error of the disk. */
export async function keepOrigin({ origin }: WorktreePlace, state: OriginState): Promise<void> {
  await writeFile(origin, JSON.stringify(state));
  seen.set(origin, state);
}

/** What was around it. Null: that was not kept. */
export async function keptOrigin({ origin }: WorktreePlace): Promise<OriginState | null> {
  const known = seen.get(origin);
  if (known) return known;
  return OriginState.safeParse(jsonIn(await readFile(origin, 'utf8').catch(() => ''))).data ?? null;
}

export async function forgetOrigin({ origin }: WorktreePlace): Promise<void> {
  seen.delete(origin);
  await rm(origin, { force: true });
}

/** Whose worktree was made from a folder, and the address of the log that has the run. */
export interface OriginOf {
  readonly run: string;
  readonly directory: string;
  readonly store: string | null;
}

/**
 * The hash of the tree of the worktree around a folder, under no ref: to tell whether a file there changes. Null
 * outside git, and with so many untracked files that git should not keep them for this. Throws a `GitError`.
 */
export async function originFiles({ run, directory, store }: OriginOf, signal: AbortSignal): Promise<string | null> {
  const worktree = await gitWorktree(directory);
  if (worktree === null) return null;
  const call = { directory: worktree.root, signal };
  const { taken } = await untrackedFiles(call);
  if (await isBeyond(taken, worktree.root)) return null;
  const captured = await captureFolder({ run, directory, store, number: null, listsChanges: false }, signal);
  return captured?.hash ?? null;
}
