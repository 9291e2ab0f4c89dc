import { createHash } from 'node:crypto';
import { execa } from 'execa';

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
}

/** Lists the files that a folder of dependencies shares with worktrees. Null where this system has no GNU `find`. */
export async function manifestOf(top: string, path: string): Promise<Manifest | null> {
  const { exitCode, stdout } = await execa('find', ['-H', path, '-type', 'f', '-printf', '%i %s/%T@ %P\\0'], {
    cwd: top,
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
    const [, inode, content, path] = /^(\d+) (\S+) (.*)$/s.exec(line) ?? [];
    if (inode === undefined || content === undefined || path === undefined) continue;
    if (!isOwnEntry(path.split('/', 1)[0] ?? '')) files.set(`${folder}/${path}`, { inode, content });
  }
  return files;
}

/** The same for equal manifests, whatever their order. */
export function fingerprintOf(manifest: Manifest): string {
  const lines = [...manifest].map(([path, { inode, content }]) => `${inode} ${content} ${path}`);
  return createHash('sha256').update(lines.toSorted().join('\0')).digest('hex');
}

/**
 * Paths that a run may have changed for the origin. Of hard links only a file that was written in place counts: a
 * package manager replaces files, which changes one copy. Of a link every difference counts.
 */
export function changedFilesOf(before: Manifest, now: Manifest, by: 'hard-links' | 'link'): readonly string[] {
  const changed = [...before].filter(([path, was]) => {
    const is = now.get(path);
    if (by === 'link') return is?.content !== was.content;
    return is?.inode === was.inode && is.content !== was.content;
  });
  const added = by === 'link' ? [...now.keys()].filter((path) => !before.has(path)) : [];
  return [...changed.map(([path]) => path), ...added];
}

export const manifestText = (manifest: Manifest): string => JSON.stringify([...manifest]);

/** Null where the text is no manifest. */
export function manifestIn(text: string): Manifest | null {
  try {
    return new Map(JSON.parse(text) as Iterable<readonly [string, FileState]>);
  } catch {
    return null;
  }
}
