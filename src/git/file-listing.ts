import { askGit, type GitCall } from './process/git.ts';
import { listNames, nameText } from './process/git-names.ts';

/** What lies in a worktree, from its top. */
export interface ListedFiles {
  /** Tracked, or neither tracked nor ignored. Of repositories within nothing. */
  readonly files: readonly string[];
  /** What git ignores, a folder in place of its files. */
  readonly ignored: readonly string[];
}

const SUBMODULE = '160000 ';

/** Lists the files of the worktree that the call names. Throws a `GitError`. */
export async function listFiles(call: GitCall): Promise<ListedFiles> {
  const [tracked, deleted, others, ignored] = await Promise.all([
    listNames(['ls-files', '-z', '--stage'], call),
    listNames(['ls-files', '-z', '--deleted'], call),
    listNames(['ls-files', '-z', '--others', '--exclude-standard'], call),
    listNames(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'], call),
  ]);
  const gone = new Set(deleted);
  const kept = tracked.flatMap((line) => {
    const name = line.slice(line.indexOf('\t') + 1);
    return line.startsWith(SUBMODULE) || gone.has(name) ? [] : [name];
  });
  // A folder here is a repository within.
  const added = others.filter((name) => !name.endsWith('/'));
  return {
    files: [...new Set([...kept, ...added])].map(nameText).toSorted(),
    ignored: ignored.map((name) => nameText(name.replace(/\/$/, ''))),
  };
}

/** Tells whether git ignores a path below a folder. False outside git, and where git cannot be asked. */
export async function isIgnored(directory: string, path: string): Promise<boolean> {
  try {
    const { exitCode } = await askGit(['check-ignore', '--quiet', path], { directory });
    return exitCode === 0;
  } catch {
    return false;
  }
}
