import { lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Isolation } from '../../../machines/settings.ts';
import { clones, copyDependencies } from './copy-dependencies.ts';
import { fingerprintOf, type Manifest, manifestOf, manifestText } from './dependency-manifest.ts';
import type { WorktreePlace } from './worktree-place.ts';
import { git, type GitCall } from '../process/git.ts';

type Dependency = Isolation['dependencies'][number];

export interface GivenDependencies {
  readonly dependencies: readonly Dependency[];
  readonly warnings: readonly string[];
}

interface Copied {
  readonly dependency: Dependency;
  readonly manifest: Manifest | null;
  /** Where it waits until the other files are there. */
  readonly at: string;
}

/**
 * Gives a worktree the installed dependencies of its origin, and keeps a list of the files that both then share.
 * `root` is the top folder of the origin. `files`: the others are written; until then nothing is in their way.
 */
export async function giveDependencies(
  place: WorktreePlace,
  root: string,
  names: readonly string[],
  files: Promise<unknown>,
): Promise<GivenDependencies> {
  const found = await dependencyFolders(names, { directory: root });
  const folders = found.slice(0, MAX_DEPENDENCY_FOLDERS);
  if (folders.length === 0) return { dependencies: [], warnings: [] };
  const canClone = await clones(place.record);
  const waiting = join(place.top, '.git/dependencies');
  const copies: Copied[] = [];
  for (const [number, path] of folders.entries()) {
    copies.push(await copied(root, path, join(waiting, String(number)), canClone));
  }
  await files;
  const given: Copied[] = [];
  for (const copy of copies) if (await moved(copy, place.top)) given.push(copy);
  await rm(waiting, { recursive: true, force: true });
  const shared = given.flatMap(({ manifest }) => (manifest ? [...manifest] : []));
  if (given.some(({ manifest }) => manifest !== null)) await writeFile(place.manifest, manifestText(new Map(shared)));
  const left = found.length - folders.length;
  const warnings =
    left > 0
      ? [`${left} folders of dependencies are not in the worktree: at most ${MAX_DEPENDENCY_FOLDERS} are copied`]
      : [];
  return { dependencies: given.map(({ dependency }) => dependency), warnings };
}

async function copied(root: string, path: string, at: string, canClone: boolean): Promise<Copied> {
  // Listed while it is copied: a change in between is a change of the run's time.
  const [by, manifest] = await Promise.all([
    copyDependencies(join(root, path), at, canClone),
    canClone ? null : manifestOf(root, path),
  ]);
  if (by === 'copy-on-write') return { dependency: { path, by }, manifest: null, at };
  const files = manifest ?? (await manifestOf(root, path));
  return { dependency: { path, by, ...(files ? { fingerprint: fingerprintOf(files) } : {}) }, manifest: files, at };
}

/** False where the tree of the worktree has something there itself, or leads elsewhere by a link. */
async function moved({ dependency: { path }, at }: Copied, top: string): Promise<boolean> {
  const to = join(top, path);
  const isTaken = await lstat(to).then(yes, no);
  if (isTaken) return false;
  await mkdir(dirname(to), { recursive: true });
  if ((await realpath(dirname(to))) !== join(await realpath(top), dirname(path))) return false;
  await rename(at, to);
  return true;
}

const [yes, no] = [() => true, () => false];

/** More than this many folders of a repository get no copy: one process copies each. */
const MAX_DEPENDENCY_FOLDERS = 200;

/**
 * The folders of dependencies that git ignores, from the top of a worktree: those with one of these names, or paths.
 * One that git keeps is in the tree already.
 */
export async function dependencyFolders(names: readonly string[], call: GitCall): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const wanted = new Set(names.map(withoutSlash));
  return (await ignoredFiles(call)).filter((path) => wanted.has(basename(path)) || wanted.has(path));
}

/** All that git ignores, from the top of a worktree; of a folder that is ignored as a whole, the folder. */
export async function ignoredFiles(call: GitCall): Promise<readonly string[]> {
  const listed = await git(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'], call);
  const paths = new TextDecoder().decode(listed).split('\0').map(withoutSlash);
  return paths.filter((path) => path !== '');
}

/** Which of these names no folder in the list has. */
export const withoutFolder = (names: readonly string[], folders: readonly string[]): string[] =>
  names.filter((name) => !folders.some((path) => [path, basename(path)].includes(withoutSlash(name))));

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');
