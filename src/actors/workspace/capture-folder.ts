import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type Captured, type Captures, capture } from './capture.ts';
import { askGit, type GitCall, GitError } from './git.ts';
import { worktreeFacts } from './git-worktree.ts';
import { logNames } from './log-names.ts';
import { PLACE_FACTS } from './record-worktree.ts';
import { type WorktreeAround, worktreeAround } from './worktree-around.ts';

/** What is captured of the worktree around a folder. The files of the log at `store` are in no capture. */
export interface FolderCapture extends Omit<Captures, 'leaveOut'> {
  readonly directory: string;
  /** Files of the loop's own beside the usual ones, from `directory`: they are in no capture. */
  readonly leaveOut?: readonly string[];
}

const MAX_REMEMBERED = 64;

/** What is asked of git first, and fails where the worktree is another one now. */
const NEEDING_PLACE = new Set(['rev-parse', 'hash-object']);

/** What git said of folders that are the top of their worktree. The next capture of each has it confirmed. */
const remembered = new Map<string, readonly string[]>();

/**
 * Captures the whole worktree around a folder. Null outside git, and in a folder that git ignores. The worktree of a
 * run is captured also where the run has it ignored: it was not when that was made.
 */
export async function captureFolder(input: FolderCapture, signal: AbortSignal): Promise<Captured | null> {
  const { directory } = input;
  const own = await worktreeAround(directory);
  const known = remembered.get(directory);
  if (known) {
    try {
      return await captureAt(known, true, own, input, signal);
    } catch (error) {
      if (!(error instanceof GitError && NEEDING_PLACE.has(error.command))) throw error;
      remembered.delete(directory);
    }
  }
  const call = { directory, repository: own?.repository, signal };
  const facts = await worktreeFacts(PLACE_FACTS.slice(1), call);
  if (facts === null) return null;
  const isTop = facts[1] === '';
  if (!isTop && own === null && (await isIgnored(call))) return null;
  const captured = await captureAt(facts, false, own, input, signal);
  if (isTop) remember(directory, facts);
  return captured;
}

async function captureAt(
  facts: readonly string[],
  isRemembered: boolean,
  own: WorktreeAround | null,
  input: FolderCapture,
  signal: AbortSignal,
): Promise<Captured> {
  const { directory } = input;
  const [root = '', , index = '', objects = '', objectFormat = ''] = facts;
  const asked = await Promise.all((input.leaveOut ?? []).map((path) => fromRoot(root, join(directory, path))));
  const leaveOut = [...asked, ...(own?.leaveOut ?? []), ...(await logNames(root, input.store ?? null))];
  const expected = isRemembered ? { directory, facts } : undefined;
  const place = { root, objects, objectFormat, repository: own?.repository, expected };
  const worktree = { ...place, index: own?.index ?? index };
  return capture(worktree, { ...input, leaveOut }, signal);
}

function remember(directory: string, facts: readonly string[]): void {
  remembered.set(directory, facts);
  const [oldest = directory] = remembered.size > MAX_REMEMBERED ? remembered.keys() : [];
  if (oldest !== directory) remembered.delete(oldest);
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
