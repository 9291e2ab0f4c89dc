import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { belongsToOpenLog } from '../../log/log-files.ts';
import { errorCode } from '../../text/error-code.ts';
import { isReserved, isStateFile } from './state-paths.ts';

/** A tool that knows it has done nothing, and why: a failed call whose message tells the model what to do instead. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const SAID: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'part of the path is a file, not a directory',
  EEXIST: 'part of the path is a file, not a directory',
  EISDIR: 'it is a directory, not a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'it is not a regular file',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full, the file is as it was',
  EDQUOT: 'the disk quota is used up, the file is as it was',
  EFBIG: 'the file would be larger than this process may write, it is as it was',
  EMFILE: 'too many files are open, try again with fewer calls at a time',
  ENFILE: 'too many files are open, try again with fewer calls at a time',
};

/** What the file system said, in words, or the error itself where it said nothing we know. */
export function fileRefusal(path: string, error: unknown): unknown {
  const said = SAID[errorCode(error) ?? ''];
  return said === undefined ? error : new ToolRefusal('file_refused', `${path}: ${said}`, error);
}

/** Where a tool may go: absolute, real places. */
export interface Reach {
  /** The workspace. */
  readonly directory: string;
  /** Granted beside it, with everything below. Only for tools that read. */
  readonly readable?: readonly string[];
}

/** A place that may be gone to: as the model named it, and where it really was when it was looked at. */
export interface Place {
  readonly path: string;
  readonly real: string;
  /** The workspace or the granted place that it is in. */
  readonly root: string;
}

/**
 * The real place (no symbolic link left in it) of a path within reach, whether or not something is there yet. Throws a
 * `ToolRefusal` for whatever leads out of it, to `.git` and `.loopfold`,
 * or to a log of runs that is in use.
 */
export async function confine({ directory, readable = [] }: Reach, path: string): Promise<Place> {
  const where = readable.length === 0 ? 'inside the workspace' : 'inside the workspace, or one that was granted';
  const refuse = (why: string) => new ToolRefusal('path_refused', `${path}: ${why}; give a path ${where}`);
  if (path.includes('\0')) throw refuse('it contains a null byte');
  if (namesIn(path).includes('..')) throw refuse('it contains ".."');
  const roots = [directory, ...readable];
  const wanted = resolve(directory, path);
  const real = await realPlace(wanted, path);
  const root = roots.find((root) => isWithin(root, real));
  if (root === undefined) throw refuse('it is outside the workspace');
  // As it was named too: a link may have such a name.
  const named = roots.find((root) => isWithin(root, wanted));
  const names = [...namesIn(relative(root, real)), ...namesIn(named === undefined ? path : relative(named, wanted))];
  const reserved = names.find(isReserved);
  if (reserved !== undefined) throw refuse(`${reserved} is off limits`);
  if (await belongsToOpenLog(real)) throw refuse('it belongs to a log of runs that is in use');
  if (isStateFile(namesIn(relative(root, real)))) throw refuse('it is the state of the loop, which people edit');
  return { path, real, root };
}

export function isWithin(root: string, place: string): boolean {
  const inside = relative(root, place);
  return inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}

const namesIn = (path: string): string[] => path.split(/[/\\]/);

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

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');

const isDanglingLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
