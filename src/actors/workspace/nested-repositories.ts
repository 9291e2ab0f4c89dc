import { access, constants, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit, git, type GitCall } from './git.ts';
import { inputOf, listNames, nameText } from './git-names.ts';
import { type CapturePlace, runRef } from './run-refs.ts';
import { treeEntries } from './tree-change.ts';

// Git adds of a repository within only its commit, and nothing of one without a commit. The commit of a repository that
// a run has made is lost with its worktree: the files of such a one are captured as ordinary files.

const GIT_LINK = '160000';

export interface Nesting {
  readonly run: string;
  readonly number: CapturePlace | null;
  /** Of the whole worktree, but for the loop's own. */
  readonly pathspecs: readonly string[];
  /** The worktree is the run's own, and what lies in it is removed with it. */
  readonly isOwn: boolean;
}

/**
 * Adds the files of repositories within to the index of a capture, where the run's start does not have them as
 * repositories. Returns the paths that git must not add itself, in latin1.
 */
export async function addNested({ run, number, pathspecs, isOwn }: Nesting, call: GitCall): Promise<readonly string[]> {
  const found = (await listNames(['ls-files', '-z', '--others', '--exclude-standard', '--', ...pathspecs], call))
    .filter((name) => name.endsWith('/'))
    .map((name) => name.slice(0, -1));
  const frozen = isOwn && number !== 0 ? await reused(call) : [];
  if (found.length === 0) return frozen;
  const start = number === 0 ? null : await treeEntries(runRef(run, 0), call).catch(() => null);
  for (const within of found) {
    if (start ? start.get(within)?.mode === GIT_LINK : await hasCommit(within, call)) continue;
    const files = await filesOf(within, call);
    if (files.length > 0) await git(['update-index', '--add', '-z', '--stdin'], { ...call, input: inputOf(files) });
  }
  return frozen;
}

/** Folders of submodules, empty in a worktree, in which the run has made a repository: no other has its commits. */
async function reused(call: GitCall): Promise<readonly string[]> {
  const links = (await listNames(['ls-files', '-z', '--stage'], call)).flatMap(
    (line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? [],
  );
  const isMade = await Promise.all(links.map((link) => isThere(join(call.directory, nameText(link), '.git'))));
  return links.filter((_, index) => isMade[index]);
}

async function hasCommit(within: string, call: GitCall): Promise<boolean> {
  const { exitCode } = await askGit(['rev-parse', '--verify', '--quiet', 'HEAD'], inside(within, call));
  return exitCode === 0;
}

/** What its own git does not ignore, and can be read; also of repositories within it. From the root, in latin1. */
async function filesOf(within: string, call: GitCall): Promise<readonly string[]> {
  const listed = await listNames(
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    inside(within, call),
  );
  const files: string[] = [];
  for (const name of new Set(listed.map((one) => `${within}/${one}`))) {
    if (name.endsWith('/')) files.push(...(await filesOf(name.slice(0, -1), call)));
    else if (await isReadable(join(call.directory, nameText(name)))) files.push(name);
  }
  return files;
}

const inside = (within: string, { directory, signal }: GitCall): GitCall => ({
  directory: join(directory, nameText(within)),
  signal,
});

async function isReadable(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found?.isSymbolicLink()) return true;
  return found?.isFile() === true && access(path, constants.R_OK).then(yes, no);
}

const [yes, no] = [() => true, () => false];
const isThere = (path: string): Promise<boolean> => lstat(path).then(yes, no);
