import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Isolation } from '../../../machines/settings.ts';
import { clones, copyDependencies } from './copy-dependencies.ts';
import { dependencyFolders, MAX_DEPENDENCY_FOLDERS } from './dependency-folders.ts';
import { fingerprintOf, type Manifest, manifestOf, manifestText } from './dependency-manifest.ts';
import type { WorktreePlace } from '../worktree-place.ts';

type Dependency = Isolation['dependencies'][number];

export interface GivenDependencies {
  readonly dependencies: readonly Dependency[];
  readonly warnings: readonly string[];
}

/**
 * Gives a worktree the installed dependencies of its origin, and keeps a list of the files that both then share.
 * `root` is the top folder of the origin.
 */
export async function giveDependencies(
  place: WorktreePlace,
  root: string,
  names: readonly string[],
): Promise<GivenDependencies> {
  const found = await dependencyFolders(names, { directory: root });
  const folders = found.slice(0, MAX_DEPENDENCY_FOLDERS);
  if (folders.length === 0) return { dependencies: [], warnings: [] };
  const canClone = await clones(place.record);
  const shared = new Map<string, Manifest>();
  const dependencies: Dependency[] = [];
  for (const path of folders) {
    const { dependency, manifest } = await given(place, root, path, canClone);
    dependencies.push(dependency);
    if (manifest) shared.set(path, manifest);
  }
  if (shared.size > 0) {
    await writeFile(place.manifest, manifestText(new Map([...shared.values()].flatMap((files) => [...files]))));
  }
  const left = found.length - folders.length;
  const warnings =
    left > 0
      ? [`${left} folders of dependencies are not in the worktree: at most ${MAX_DEPENDENCY_FOLDERS} are copied`]
      : [];
  return { dependencies, warnings };
}

async function given(
  { top }: WorktreePlace,
  root: string,
  path: string,
  canClone: boolean,
): Promise<{ readonly dependency: Dependency; readonly manifest: Manifest | null }> {
  // Listed while it is copied: a change in between is a change of the run's time.
  const [by, manifest] = await Promise.all([
    copyDependencies(join(root, path), join(top, path), canClone),
    canClone ? null : manifestOf(root, path),
  ]);
  if (by === 'copy-on-write') return { dependency: { path, by }, manifest: null };
  const files = manifest ?? (await manifestOf(root, path));
  return { dependency: { path, by, ...(files ? { fingerprint: fingerprintOf(files) } : {}) }, manifest: files };
}
