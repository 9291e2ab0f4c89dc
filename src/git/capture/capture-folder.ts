import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type Captured, type Captures, capture } from './capture.ts';
import { askGit, type GitCall } from '../process/git.ts';
import { worktreeFacts } from '../git-worktree.ts';
import { logNames } from './log-names.ts';
import { STORE_FACTS } from './raw-repository.ts';
import { worktreeAround } from '../worktree/worktree-around.ts';

/** What is captured of the worktree around a folder. The files of the log at `store` are in no capture. */
export interface FolderCapture extends Omit<Captures, 'leaveOut'> {
  readonly directory: string;
  /** Files of the loop's own beside the usual ones, from `directory`: they are in no capture. */
  readonly leaveOut?: readonly string[];
}

/**
 * Captures the whole worktree around a folder. Null outside git, and in a folder that git ignores. The worktree of a
 * run is captured also where the run has it ignored: it was not when that was made.
 */
export async function captureFolder(input: FolderCapture, signal: AbortSignal): Promise<Captured | null> {
  const { directory } = input;
  const own = await worktreeAround(directory);
  const call = { directory, repository: own?.repository, signal };
  const facts = await worktreeFacts(['--show-prefix', '--git-path index', ...STORE_FACTS], call);
  if (facts === null) return null;
  const [root = '', prefix = '', index = '', objects = '', objectFormat = ''] = facts;
  if (prefix !== '' && own === null && (await isIgnored(call))) return null;
  const asked = await Promise.all((input.leaveOut ?? []).map((path) => fromRoot(root, join(directory, path))));
  const leaveOut = [...asked, ...(own?.leaveOut ?? []), ...(await logNames(root, input.store ?? null))];
  const worktree = { root, index: own?.index ?? index, objects, objectFormat, repository: own?.repository };
  return capture(worktree, { ...input, leaveOut }, signal);
}

/** As git names it: whatever of the way there exists, without symbolic links. */
async function fromRoot(root: string, path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => null);
  if (folder !== null) return relative(root, join(folder, basename(path)));
  return join(await fromRoot(root, dirname(path)), basename(path));
}

/**
 * A folder that the repository around it ignores would look the same for ever. Not for the top folder: a pattern like
 * `*`, with exceptions after it, matches that too, and its repository still records files in it.
 */
async function isIgnored(call: GitCall): Promise<boolean> {
  const { exitCode } = await askGit(['check-ignore', '--quiet', '.'], call);
  return exitCode === 0;
}
