import { copyFile, lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Openings } from './openings.ts';
import type { ProofGround } from './proof-places.ts';

/** Copies provided files into a checkout. */
export async function copyProvided({ folder, paths }: ProofGround['provided'], top: string): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await copyFile(join(folder, path), join(top, path));
  }
}

/** Finds what the folder has of what a leg is opened to. */
export interface Opened extends Pick<Openings, 'homePaths'> {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Folders are laid over those of the workspace at whose path a leg lies: a worktree of a run gets files alone. */
export async function openedIn({ workspace, origin }: ProofGround, { ignored, homePaths }: Openings): Promise<Opened> {
  const found = await Promise.all(
    ignored.map(async (path) => ({ path, entry: await lstat(join(workspace, path)).catch(() => null) })),
  );
  const files = found.flatMap(({ path, entry }) => (entry?.isFile() ? [path] : []));
  const folders = found.flatMap(({ path, entry }) => (entry?.isDirectory() ? [path] : []));
  return { homePaths, files, folders: workspace === origin.root ? folders : [] };
}
