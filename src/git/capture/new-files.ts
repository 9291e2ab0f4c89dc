import { askGit, type GitCall, GitError } from '../process/git.ts';
import { inputOf, listNames } from '../process/git-names.ts';
import { ignoredSince } from './ignore-changes.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { addNested, repositoriesOf } from './inner-repositories.ts';
import { type ContentCall, ofContent } from './raw-repository.ts';
import { addNames } from './record-worktree.ts';
import { ignoredOf } from './rules-of-start.ts';
import { runRef } from '../run-refs.ts';
import { treeEntries } from '../tree-change.ts';
import { bytesOf, statOf } from '../workspace-path.ts';

export interface NewFiles {
  readonly leftOut: readonly LeftOut[];
  /** The words of git on files it could not read; empty where it read all. */
  readonly unread: string;
  /** All that git alone adds is what a capture has of them. */
  readonly isPlain: boolean;
}

/**
 * Adds to an index the files that it does not have, and that were not ignored when the run began. Of those that git
 * ignores now, and of repositories that the run has made, only as many as the limits allow.
 */
export async function addNewFiles(others: readonly string[], run: string, call: ContentCall): Promise<NewFiles> {
  if (others.length === 0) return { leftOut: [], unread: '', isPlain: true };
  const ignored = await ignoredOf(others, call);
  const hidden = others.filter((name) => ignored.has(name));
  const visible = others.filter((name) => !ignored.has(name));
  const since = hidden.length === 0 ? { taken: [], left: [] } : await ignoredSince(hidden, await entries(call), call);
  const within = repositoriesOf(visible);
  const start = within.length === 0 ? new Map() : await treeEntries(runRef(run, 0), call);
  const nested = await addNested(within, start, call);
  const names = [...visible.filter((name) => !name.endsWith('/')), ...since.taken];
  const unread = await addNames(names, [], ofContent(call)).then(
    () => '',
    (error: unknown) => {
      if (error instanceof GitError && error.code === 'git_failed') return addReadable(names, call);
      throw error;
    },
  );
  return { leftOut: [...since.left, ...nested.leftOut], unread, isPlain: nested.isPlain };
}

/** What git ignores now, a folder in place of its files. */
const entries = (call: GitCall): Promise<readonly string[]> =>
  listNames(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'], call);

/** Slower: git takes those it can read, and says which it cannot. */
async function addReadable(names: readonly string[], call: ContentCall): Promise<string> {
  const present: string[] = [];
  for (const name of names) if (await statOf(bytesOf(call.directory, name))) present.push(name);
  const add = ['--literal-pathspecs', 'add', '--force', '--sparse', '--ignore-errors'];
  const { exitCode, stderr } = await askGit([...add, '--pathspec-from-file=-', '--pathspec-file-nul'], {
    ...ofContent(call),
    input: inputOf(present),
  });
  if (exitCode > 1) throw new GitError('git_failed', 'add', stderr || `exit code ${exitCode}`);
  return exitCode === 0 ? '' : stderr.trim();
}
