import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** More files than this, or more bytes in all, are no settings or data of tests: a command can make them. */
const MAX_FILES = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** A file that git does not keep, from the top of the workspace, and the hash of what it had when a run began. */
export interface ProvidedFile {
  readonly path: string;
  readonly sha256: string;
}

/** Why these files cannot be provided: the end of a sentence that begins with the path. */
export type ProvidedFiles =
  | { readonly kind: 'files'; readonly files: readonly ProvidedFile[] }
  | { readonly kind: 'refused'; readonly path: string; readonly because: string };

/**
 * The files at these paths, and all that are in folders there, but for folders with such names. Links are left out:
 * they lead elsewhere.
 */
export async function providedFiles(
  root: string,
  paths: readonly string[],
  leaveOut: ReadonlySet<string> = new Set(),
): Promise<ProvidedFiles> {
  const files: ProvidedFile[] = [];
  let bytes = 0;
  for (const path of paths.map((asked) => asked.replace(/\/+$/, ''))) {
    const found = await filesIn(root, path, leaveOut);
    if (found.length === 0) return { kind: 'refused', path, because: 'is no file and no folder with files' };
    for (const one of found) {
      bytes += one.bytes;
      if (files.length === MAX_FILES || bytes > MAX_BYTES) {
        return { kind: 'refused', path, because: `has too much: at most ${MAX_FILES} files and ${MAX_BYTES} bytes` };
      }
      files.push({ path: one.path, sha256: await hashOf(join(root, one.path)) });
    }
  }
  return { kind: 'files', files };
}

/**
 * Copies provided files into a folder. Those that are gone, or that have other bytes than when the run began, are not
 * given: returns their paths.
 */
export async function giveFiles(root: string, files: readonly ProvidedFile[], to: string): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { path, sha256 } of files) {
    const copy = join(to, path);
    await mkdir(dirname(copy), { recursive: true });
    const isCopied = await copyFile(join(root, path), copy, constants.COPYFILE_FICLONE).then(
      () => true,
      () => false,
    );
    // Of the copy: the file itself may change meanwhile.
    if (!isCopied || (await hashOf(copy)) !== sha256) changed.push(path);
  }
  return changed;
}

async function filesIn(
  root: string,
  path: string,
  leaveOut: ReadonlySet<string>,
): Promise<readonly { path: string; bytes: number }[]> {
  const found = await lstat(join(root, path)).catch(() => null);
  if (found?.isFile()) return [{ path, bytes: found.size }];
  if (!found?.isDirectory()) return [];
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !file
          .slice(root.length)
          .split('/')
          .some((name) => leaveOut.has(name)),
    );
  // One more than there may be shows that there are too many.
  return Promise.all(
    files
      .slice(0, MAX_FILES + 1)
      .toSorted()
      .map(async (file) => ({ path: file.slice(root.length + 1), bytes: (await lstat(file)).size })),
  );
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
