import { createHash } from 'node:crypto';
import { execa } from 'execa';
import { ownEnvironment } from '../../text/own-programs.ts';
import { readFile } from 'node:fs/promises';
import type { Isolation } from '../../../machines/settings.ts';
import { gitLine } from '../process/git.ts';
import { placeAt } from './worktree-place.ts';

const LIST_TIMEOUT_MS = 120_000;
const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** Stores of packages, whose files are shared like all others. Every other entry with a dot is a worktree's own. */
const SHARED_ENTRIES: readonly string[] = ['.pnpm', '.store'];

/** Whether an entry directly in a folder of dependencies is copied, with its content, for each worktree. */
export const isOwnEntry = (name: string): boolean => name.startsWith('.') && !SHARED_ENTRIES.includes(name);

/** Files of dependencies by their path, from the top of the worktree. */
export type Manifest = ReadonlyMap<string, FileState>;

interface FileState {
  readonly inode: string;
  /** Size and time of the last change. */
  readonly content: string;
  /** Octal. Absent in lists of older versions. */
  readonly mode?: string;
}

// The time of the last change of the inode (`ctime`) would also show a write that sets size and time back. It cannot be
// compared: every hard link that another worktree, or another project with the same store of packages, makes or
// removes changes it too.

/** Lists the files that a folder of dependencies shares with worktrees. Null where this system has no GNU `find`. */
export async function manifestOf(top: string, path: string): Promise<Manifest | null> {
  const { exitCode, stdout } = await execa('find', ['-H', path, '-type', 'f', '-printf', '%i %m %s/%T@ %P\\0'], {
    cwd: top,
    env: ownEnvironment(),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: LIST_TIMEOUT_MS,
    maxBuffer: MAX_LIST_BYTES,
  });
  return exitCode === 0 ? read(stdout, path) : null;
}

function read(text: string, folder: string): Manifest {
  const files = new Map<string, FileState>();
  for (const line of text.split('\0')) {
    const [, inode, mode, content, path] = /^(\d+) (\S+) (\S+) (.*)$/s.exec(line) ?? [];
    if (inode === undefined || mode === undefined || content === undefined || path === undefined) continue;
    if (!isOwnEntry(path.split('/', 1)[0] ?? '')) files.set(`${folder}/${path}`, { inode, content, mode });
  }
  return files;
}

/** The same for equal manifests, whatever their order. */
export function fingerprintOf(manifest: Manifest): string {
  const lines = [...manifest].map(([path, { inode, content, mode }]) => `${inode} ${mode} ${content} ${path}`);
  return createHash('sha256').update(lines.toSorted().join('\0')).digest('hex');
}

/**
 * Paths that a run may have changed for the origin. Of hard links only a file that was written in place counts: a
 * package manager replaces files, which changes one copy. Of a link every difference counts.
 */
function changedFilesOf(before: Manifest, now: Manifest, by: 'hard-links' | 'link'): readonly string[] {
  const changed = [...before].filter(([path, was]) => {
    const is = now.get(path);
    if (is?.inode !== was.inode) return by === 'link';
    return is.content !== was.content || (was.mode !== undefined && is.mode !== was.mode);
  });
  const added = by === 'link' ? [...now.keys()].filter((path) => !before.has(path)) : [];
  return [...changed.map(([path]) => path), ...added];
}

export const manifestText = (manifest: Manifest): string => JSON.stringify([...manifest]);

/** Null where the text is no manifest. */
function manifestIn(text: string): Manifest | null {
  try {
    return new Map(JSON.parse(text) as Iterable<readonly [string, FileState]>);
  } catch {
    return null;
  }
}

/**
 * Files of the origin's dependencies that have changed since a worktree shares them, from the top of the worktree. A
 * copy on write shares none.
 */
export async function changedDependencies({ top, origin, dependencies }: Isolation): Promise<readonly string[]> {
  const shared = dependencies.flatMap(({ path, by }) => (by === 'hard-links' || by === 'link' ? [{ path, by }] : []));
  if (shared.length === 0) return [];
  const before = manifestIn(await readFile(placeAt(top).manifest, 'utf8').catch(() => ''));
  // Without the list nothing can be said: the worktree was removed, or is not made completely.
  if (before === null) return [];
  const root = await gitLine(['rev-parse', '--show-toplevel'], { directory: origin }).catch(() => null);
  // The folder that was shared is gone: nothing of it can have been spoiled.
  if (root === null) return [];
  const found = await Promise.all(
    shared.map(async ({ path, by }) => {
      const was = new Map([...before].filter(([file]) => file.startsWith(`${path}/`)));
      const now = await manifestOf(root, path);
      return now === null ? [] : changedFilesOf(was, now, by);
    }),
  );
  return found.flat();
}
