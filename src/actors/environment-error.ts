/** The environment of a run lacks something. Nothing was written. The message ends with what to do. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly code:
    | 'no_directory'
    | 'copied_project'
    | 'no_git'
    | 'no_isolation'
    | 'no_walls'
    | 'not_committed'
    | 'dependencies_changed'
    | 'large_start'
    | 'no_package';

  constructor(code: EnvironmentError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'Free some space'],
  ['EDQUOT', 'Free some space'],
  ['EACCES', 'Make the folder writable'],
  ['EPERM', 'Make the folder writable'],
  ['EROFS', 'Make the folder writable'],
  ['ENAMETOOLONG', 'Move the project to a folder with a shorter path'],
]);

/** Says what a user can do about an error of the disk; null for another error. */
export const remedyFor = (error: unknown): string | null =>
  REMEDIES.get((error as NodeJS.ErrnoException | null)?.code ?? '') ?? null;
