import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { logFiles } from '../../log/log-files.ts';
import { gitWorktree } from '../git-worktree.ts';
import { foldersOf } from '../../evidence/workspace-paths.ts';

/**
 * The files of a log that lie in a worktree, as git names them: paths from its top folder, which is given as git names
 * it. Those in a repository within are not, because no capture has them. `store` null: there is no log.
 */
export async function logNames(root: string, store: string | null): Promise<readonly string[]> {
  if (store === null) return [];
  const names = logFiles(store).map((path) => relative(root, path));
  const inside = names
    .filter((name) => name !== '' && name.split(sep)[0] !== '..' && !isAbsolute(name))
    .map((name) => name.replaceAll(sep, '/'));
  const own = await Promise.all(inside.map((name) => isOfRepositoryWithin(root, name)));
  return inside.filter((_name, index) => !own[index]);
}

/** Git adds no file of a repository within, and refuses a path there that it is to leave out. */
async function isOfRepositoryWithin(root: string, name: string): Promise<boolean> {
  const found = await Promise.all(foldersOf(name).map((folder) => lstat(join(root, folder, '.git')).catch(() => null)));
  return found.some((stats) => stats !== null);
}

/** The same of the worktree around a folder. Empty outside git. */
export async function logNamesAround(directory: string, store: string | null): Promise<readonly string[]> {
  const worktree = store === null ? null : await gitWorktree(directory);
  return worktree ? logNames(worktree.root, store) : [];
}

/** Whether a path, each byte one character (latin1), is one of these names or below one. */
export function isUnder(names: readonly string[], path: string): boolean {
  return names.some((name) => {
    const bytes = Buffer.from(name).toString('latin1');
    return path === bytes || path.startsWith(`${bytes}/`);
  });
}

/** Arguments of git after which it speaks of everything in the worktree but these names. */
export const exceptFor = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : ['--', ':/', ...names.map((name) => `:(top,exclude,literal)${name}`)];
