import { constants } from 'node:os';
import { LogError } from './log.ts';

/** The system has too little of something, whatever it was asked for: it says nothing about the work. */
const LACKS = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);
/** What git prints of the same, and what is said where it cannot be started. */
const LACKS_IN_GIT =
  /No space left on device|Out of diskspace|write error|unable to write new index file|Disk quota exceeded|Too many open files|Cannot allocate memory|Input\/output error|unable to create thread|[Uu]nable to fork|fork: Resource temporarily unavailable|\bspawn \S+ (?:EMFILE|ENFILE|ENOMEM|EAGAIN)\b/;
/** What git prints where a repository lacks objects: a partial or shallow clone, or a pack that is gone. */
const MISSES_OBJECTS =
  /cannot read object|unable to read (?:sha1 file|tree|object)|bad object|bad tree object|missing (?:blob|tree|commit|object)|invalid object|unable to find [\da-f]{40}|could not (?:read|get object info)|promisor remote|fatal: failed to read object|not a tree object/i;
const OBJECTS_REMEDY =
  'Git lacks objects of this repository. Get them back (git fetch --refetch, or the copy that has them; git fsck ' +
  '--connectivity-only names them), then try again.';
const MAX_CAUSES = 8;

/** An effect could not be executed because the system has too little of something: the run pauses until it has more. */
export class EnvironmentFault extends Error {
  override readonly name = 'EnvironmentFault';
  /** False: the effect has done nothing, so it may be started again whatever it does. */
  readonly hasStarted: boolean;

  constructor(message: string, cause: unknown, { hasStarted }: { readonly hasStarted: boolean }) {
    super(message, { cause });
    this.hasStarted = hasStarted;
  }
}

/**
 * What an error says of the environment: a full disk, too few files, processes or memory, a log that is locked. Null:
 * the error is no such fault.
 *
 * @example
 * const fault = environmentFault(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }));
 */
export function environmentFault(error: unknown): EnvironmentFault | null {
  if (error instanceof EnvironmentFault) return error;
  const found = causes(error).find(isOfEnvironment);
  if (found === undefined) return missingObjects(error);
  return new EnvironmentFault(error instanceof Error ? error.message : String(error), error, { hasStarted: true });
}

/** An error of git about objects that are not there, with what to do. Null: another error. */
function missingObjects(error: unknown): EnvironmentFault | null {
  const found = causes(error).find((one) => isOfGit(one) && MISSES_OBJECTS.test(one.message));
  if (!(found instanceof Error)) return null;
  return new EnvironmentFault(`${found.message}. ${OBJECTS_REMEDY}`, error, { hasStarted: true });
}

const isOfGit = (error: unknown): error is Error => error instanceof Error && error.name === 'GitError';

/** The fault of a process that could not be started. Null: it is the command's own. */
export function faultOfStart(error: unknown): EnvironmentFault | null {
  const found = causes(error).find((one) => isOfEnvironment(one) || codeOf(one) === 'EAGAIN');
  if (found === undefined) return null;
  const message = `a process could not be started: ${found instanceof Error ? found.message : String(found)}`;
  return new EnvironmentFault(message, error, { hasStarted: false });
}

function isOfEnvironment(error: unknown): boolean {
  if (error instanceof LogError) return error.kind === 'unavailable';
  if (LACKS.has(codeOf(error) ?? '')) return true;
  return isOfGit(error) && LACKS_IN_GIT.test(error.message);
}

/** The system's code of an error, such as `ENOENT`; null for an error without one. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  // Node has no names for some, such as EDQUOT: it says `Unknown system error -122`.
  const number = UNNAMED.exec(error.code)?.[1];
  return number === undefined ? error.code : (NAMES.get(Number(number)) ?? error.code);
}

const UNNAMED = /^Unknown system error -(\d+)$/;
const NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

/** Tells whether a code of the system says that it has too little of something, or that a disk fails. */
export const isLack = (code: string | null): boolean => LACKS.has(code ?? '');

/** An error, and what it was caused by. */
function causes(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  for (let one = error; one !== undefined && found.length < MAX_CAUSES;) {
    found.push(one);
    one = one instanceof Error ? one.cause : undefined;
  }
  return found;
}

/** What lies at a place is of the wrong kind, or its user may not use it. */
const IN_THE_WAY = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOENT', 'ELOOP', 'ENOTEMPTY', 'EACCES', 'EPERM', 'EROFS']);

/** The same, without those that say how this program uses its own files. */
const IS_OTHERWISE = new Set([...IN_THE_WAY].filter((code) => !['EEXIST', 'ENOENT', 'ENOTEMPTY'].includes(code)));

/**
 * An error of the file system at a place of our own as a fault of the environment, with what to do; any other as it is.
 *
 * @example
 * await mkdir(folder).catch((error: unknown) => { throw orPlaceFault(folder, 'Move away what lies there.', error); });
 */
export function orPlaceFault(place: string, remedy: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === null || !IN_THE_WAY.has(code)) return error;
  const message = `${place} cannot be used (${told(error)}). ${remedy}`;
  return new EnvironmentFault(message, error, { hasStarted: true });
}

/** Without the paths that the system names after a comma. */
const told = (error: unknown) => (error as Error).message.split(',')[0] ?? '';

/**
 * An error of the file system that no place of ours has told: a kind of file or a permission that is not what it was
 * taken for. Null: another error. It names the path as the system does.
 */
export function placeFault(error: unknown): EnvironmentFault | null {
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
  if (path === null || !IS_OTHERWISE.has(codeOf(error) ?? '')) return null;
  const remedy = 'See what lies there and who may use it, mend that, then try again.';
  return new EnvironmentFault(`${path} cannot be used (${told(error)}). ${remedy}`, error, { hasStarted: true });
}
