import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProvidedFiles, providedFiles } from '../../actors/proof/files-for-proof.ts';
import { hasCommit } from '../../git/capture/inner-repositories.ts';
import { nameText } from '../../git/process/git-names.ts';
import { submodulesOf } from '../../git/worktree/submodule-files.ts';
import { exists } from '../../config/places.ts';
import { foldersOf } from '../../evidence/workspace-paths.ts';

/**
 * The files at these paths. One in a repository within is refused: a tree has its commit there, and no file can be laid
 * over that.
 */
export async function providedOutside(root: string, paths: readonly string[]): Promise<ProvidedFiles> {
  if (paths.length === 0) return { kind: 'files', files: [] };
  const submodules = new Set([...(await submodulesOf(root)).keys()].map(nameText));
  for (const path of paths.map((asked) => asked.replace(/\/+$/, ''))) {
    for (const folder of [...foldersOf(path), path]) {
      const isWithin = submodules.has(folder) || (await isOwnRepository(root, folder));
      if (isWithin) return { kind: 'refused', path, because: await reason(root, folder) };
    }
  }
  return providedFiles(root, paths);
}

const isOwnRepository = async (root: string, folder: string): Promise<boolean> =>
  (await exists(join(root, folder, '.git'))) && hasCommit(folder, { directory: root });

async function reason(root: string, folder: string): Promise<string> {
  const isEmpty = (await readdir(join(root, folder)).catch(() => [])).length === 0;
  return isEmpty
    ? `is in the submodule ${folder}, which is empty. Fill it with git submodule update --init, and leave it out here`
    : `is in the repository ${folder}, of which a checkout has the files of its commit. Commit there what checks ` +
        'need, or make it with --prepare';
}
