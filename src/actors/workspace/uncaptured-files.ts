import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { logFiles } from '../../log/log-files.ts';
import { git, type GitCall, gitLine } from './git.ts';
import { worktreeFacts } from './git-worktree.ts';
import { runRef } from './run-refs.ts';
import { worktreeAround } from './worktree-around.ts';

// A capture has of a repository within only its commit: a file that a run writes into a submodule, or into another
// repository that its start has, is in no change of the run. Such files are kept in a tree of their own, and named.

/** More repositories, or files, of one run are neither kept nor named. */
const MAX_REPOSITORIES = 50;
const MAX_FILES = 1_000;

export interface Uncaptured {
  readonly directory: string;
  readonly run: string;
  /** The capture of how the run left its workspace. */
  readonly tree: string;
  /** When the run began, in ms since 1970: older files are not of the run. */
  readonly since: number;
  /** The address of the log, whose files are not of the run. */
  readonly store: string;
}

/** Keeps the files that a run has written into repositories within its workspace. Their paths from its top. */
export async function keepUncaptured({ directory, run, tree, since, store }: Uncaptured): Promise<readonly string[]> {
  const repository = (await worktreeAround(directory))?.repository;
  const [root] = (await worktreeFacts([], { directory, repository })) ?? [];
  if (root === undefined) return [];
  const call: GitCall = { directory: root, repository };
  const own = new Set(await logFiles(store));
  const isOwn = (path: string) => own.has(path) || own.has(dirname(path));
  const paths: string[] = [];
  for (const within of (await repositoriesIn(tree, call)).slice(0, MAX_REPOSITORIES)) {
    for (const path of await filesOf(root, within, repository !== undefined)) {
      if (paths.length < MAX_FILES && !isOwn(join(root, path)) && (await isWritten(join(root, path), since)))
        paths.push(path);
    }
  }
  if (paths.length > 0) await keep(run, paths, call);
  return paths;
}

/** The paths of files of a run that no capture has. */
export async function uncapturedOf(run: string, call: GitCall): Promise<readonly string[]> {
  const options = ['-r', '-z', '--full-tree', '--name-only'];
  const listed = await git(['ls-tree', ...options, runRef(run, 'uncaptured')], call).catch(() => null);
  return listed === null ? [] : split(listed);
}

async function repositoriesIn(tree: string, call: GitCall): Promise<readonly string[]> {
  return split(await git(['ls-tree', '-r', '-z', tree], call)).flatMap(
    (line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? [],
  );
}

/** What git would list there, if `isOwn` what is committed, too; or all of a folder without a repository. */
async function filesOf(root: string, within: string, isOwn: boolean): Promise<readonly string[]> {
  const folder = join(root, within);
  const isRepository = await lstat(join(folder, '.git')).catch(() => null);
  const files = isRepository
    ? split(
        await git(['ls-files', isOwn ? '--cached' : '--modified', '--others', '--exclude-standard', '-z'], {
          directory: folder,
        }).catch(() => new Uint8Array()),
      )
    : await readdir(folder, { recursive: true }).catch(() => []);
  return files.map((file) => `${within}/${file}`);
}

/** A line end in a name would be read as two names. */
const isWritten = (path: string, since: number): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile() && found.ctimeMs >= since && !path.includes('\n'),
    () => false,
  );

async function keep(run: string, paths: readonly string[], call: GitCall): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-index-'));
  try {
    const own = { ...call, index: join(folder, 'index') };
    const bytes = (lines: readonly string[], end: string) => Buffer.from(lines.map((line) => `${line}${end}`).join(''));
    const hashed = await gitLine(['hash-object', '-w', '--no-filters', '--stdin-paths'], {
      ...own,
      input: bytes(paths, '\n'),
    });
    const hashes = hashed.split('\n');
    const entries = paths.map((path, index) => `100644 ${hashes[index]}\t${path}`);
    await git(['update-index', '--add', '-z', '--index-info'], { ...own, input: bytes(entries, '\0') });
    await git(['update-ref', runRef(run, 'uncaptured'), await gitLine(['write-tree'], own)], own);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const split = (listed: Uint8Array): readonly string[] =>
  Buffer.from(listed)
    .toString()
    .split('\0')
    .filter((line) => line !== '');
