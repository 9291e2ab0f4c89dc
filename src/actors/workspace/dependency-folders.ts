import { basename } from 'node:path';
import { git, type GitCall } from './git.ts';

/** More than this many folders of a repository get no copy: one process copies each. */
export const MAX_DEPENDENCY_FOLDERS = 200;

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
