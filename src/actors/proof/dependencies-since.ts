import { execa } from 'execa';
import { CACHES_OF_MODULES } from '../../evidence/never-given.ts';
import { ownEnvironment } from '../../text/own-programs.ts';

const LIST_TIMEOUT_MS = 120_000;
const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** Folders that tools write while they only read the dependencies. */
const CACHES = [...CACHES_OF_MODULES, '__pycache__'];
export const NOT_IN_CACHES = CACHES.flatMap((name) => ['-not', '-path', `*/${name}/*`]);

/**
 * Files and links in folders of dependencies whose content, place or mode has changed since a moment: by a time that
 * only the system sets. Null where this system has no GNU `find`. A file that was removed leaves no trace.
 */
export async function changedSince(
  root: string,
  folders: readonly string[],
  since: Date,
): Promise<readonly string[] | null> {
  if (folders.length === 0) return [];
  const newer = ['-newerct', `@${since.getTime() / 1000}`];
  const starts = folders.map((folder) => `./${folder}`);
  const { exitCode, stdout } = await execa(
    'find',
    ['-H', ...starts, '-not', '-type', 'd', ...newer, ...NOT_IN_CACHES, '-print0'],
    {
      cwd: root,
      env: ownEnvironment(),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      timeout: LIST_TIMEOUT_MS,
      maxBuffer: MAX_LIST_BYTES,
    },
  );
  if (exitCode !== 0) return null;
  return stdout.split('\0').flatMap((path) => (path === '' ? [] : [path.slice(2)]));
}
