import { createHash } from 'node:crypto';
import { lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { giveFiles, type ProvidedFile, type ProvidedFiles, providedFiles } from './files-for-proof.ts';

/** What git and we keep in a folder is not part of what its checks need. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.loopfold']);

/** The files of a folder that a run's held-out checks get. */
export interface HeldOutFiles {
  readonly from: string;
  readonly files: readonly ProvidedFile[];
  /** SHA-256 of their paths and contents. */
  readonly digest: string;
}

/** Finds them, or says why they cannot be had. Links, and what git keeps there, are left out. */
export async function heldOutFiles(
  folder: string,
): Promise<({ readonly kind: 'held-out' } & HeldOutFiles) | Extract<ProvidedFiles, { kind: 'refused' }>> {
  const from = await realpath(folder).catch(() => null);
  if (from === null) return { kind: 'refused', path: folder, because: 'is not there' };
  const found = await providedFiles(from, ['.'], LEFT_OUT);
  if (found.kind === 'refused') return { ...found, path: folder };
  const { files } = found;
  const lines = files.map(({ path, sha256 }) => JSON.stringify([path, sha256])).toSorted();
  return { kind: 'held-out', from, files, digest: createHash('sha256').update(lines.join('\n')).digest('hex') };
}

/** The held-out files of a run are not what they were when it began. Says nothing of what is in them. */
export class HeldOutChangedError extends Error {
  override readonly name = 'HeldOutChangedError';

  constructor(folder: string) {
    super(
      `the held-out files in ${folder} are not what they were when the run began, so its work cannot be checked. ` +
        'Put them back as they were, and resume the run',
    );
  }
}

/** Lays files over a checkout: nothing of it stays where they are. False: one of them has other bytes by now. */
export async function layOver({ from, files }: Omit<HeldOutFiles, 'digest'>, top: string): Promise<boolean> {
  for (const { path } of files) await clearWay(top, path.split('/'));
  return (await giveFiles(from, files, top)).length === 0;
}

/** A link or a file in the place of a folder would lead a copy elsewhere. */
async function clearWay(top: string, names: readonly string[]): Promise<void> {
  for (const index of names.keys()) {
    const place = join(top, ...names.slice(0, index + 1));
    const isFolder = index < names.length - 1;
    const found = await lstat(place).catch(() => null);
    if (found && !(isFolder && found.isDirectory())) await rm(place, { recursive: true, force: true });
    if (isFolder) await mkdir(place, { recursive: true });
  }
}
