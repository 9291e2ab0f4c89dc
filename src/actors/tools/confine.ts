import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolRefusal, fileRefusal } from './refusal.ts';

/** Git's and our own records are not the work: a loop that rewrites them could no longer be checked. */
const RESERVED = ['.git', '.loopfold'];

export const isReserved = (name: string): boolean => RESERVED.includes(name.toLowerCase());

/**
 * The real place (no symbolic link left in it) of a path inside the workspace, whether or not something is there yet.
 * Throws a `ToolRefusal` for whatever leads out of it, or to `.git` and `.loopfold`. `directory` is absolute and real.
 */
export async function confine(directory: string, path: string): Promise<string> {
  const refuse = (why: string) => new ToolRefusal('path_refused', `${path}: ${why}; give a path inside the workspace`);
  const names = path.split(/[/\\]/);
  if (path.includes('\0')) throw refuse('it contains a null byte');
  if (names.includes('..')) throw refuse('it contains ".."');
  const real = await realPlace(resolve(directory, path), path);
  const inside = relative(directory, real);
  if (inside.split(sep)[0] === '..' || isAbsolute(inside)) throw refuse('it is outside the workspace');
  const reserved = [...names, ...inside.split(sep)].find(isReserved);
  if (reserved !== undefined) throw refuse(`${reserved} is off limits`);
  return real;
}

/** Where nothing is yet: its name in the real place of the deepest ancestor that exists. */
async function realPlace(wanted: string, path: string): Promise<string> {
  try {
    return await realpath(wanted);
  } catch (error) {
    if (!isMissing(error)) throw fileRefusal(path, error);
    if (await isDanglingLink(wanted)) {
      throw new ToolRefusal('path_refused', `${path}: it leads through a symbolic link to nowhere`);
    }
    return join(await realPlace(dirname(wanted), path), basename(wanted));
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

const isDanglingLink = (path: string): Promise<boolean> =>
  lstat(path).then((stats) => stats.isSymbolicLink(), () => false);
