import { codeOf, EnvironmentFault } from './environment-fault.ts';

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
