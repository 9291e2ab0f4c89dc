import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangedFile } from '../../../machines/events.ts';
import { changedFiles } from './changed-files.ts';
import { askGit, git, type GitCall, GitError, gitLine, lineOf } from './git.ts';

/** What the loop itself writes: with it, no two captures would ever be alike. */
const OWN_FILES = ['.loopfold', '.loopfold/**', '.loopfold-*.draft', '.claude/ralph-loop.local.md'];
const wholeTree = (leaveOut: readonly string[]) => [
  '--',
  ':/',
  ...OWN_FILES.map((pattern) => `:(top,exclude,glob)**/${pattern}`),
  ...leaveOut.map((path) => `:(top,exclude,literal)${path}`),
];
const ownTree = (leaveOut: readonly string[]) => [
  '--',
  ...OWN_FILES.map((pattern) => `:(top,glob)**/${pattern}`),
  ...leaveOut.map((path) => `:(top,literal)${path}`),
];
const NUMSTAT = ['diff-tree', '-r', '-z', '--numstat', '--no-renames'];

export interface Captures {
  readonly run: string;
  readonly number: number;
  readonly base?: string | null;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
}

export interface Captured {
  readonly hash: string;
  readonly ref: string;
  readonly changed: readonly ChangedFile[];
  /** What git said of files it could not read; empty where it read all. */
  readonly unread: string;
}

/**
 * Records the whole worktree as a tree under `refs/loopfold/RUN/N`. New objects and that ref are all that is written to the
 * repository: the index that git needs for it is a copy.
 */
export async function capture(root: string, { run, number, base: given, leaveOut }: Captures, signal: AbortSignal): Promise<Captured> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-index-'));
  try {
    const call = { directory: root, index: join(folder, 'index'), signal };
    await copyIndex(call);
    const unread = await addEverything(call, leaveOut);
    const hash = await gitLine(['write-tree'], call);
    const base = await baseOf(given ?? refOf(run, number - 1), call);
    const numstat = await git([...NUMSTAT, base, hash, ...wholeTree(leaveOut)], call);
    const ref = refOf(run, number);
    await git(['update-ref', ref, hash], call);
    return { hash, ref, changed: changedFiles(numstat), unread };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const refOf = (run: string, number: number) => `refs/loopfold/${run}/${number}`;

/** A copy knows which files are as they were, which spares reading them. A new repository has no index. */
async function copyIndex({ directory, signal, index }: GitCall & { readonly index: string }): Promise<void> {
  const own = await gitLine(['rev-parse', '--path-format=absolute', '--git-path', 'index'], { directory, signal });
  const written = await stat(own).catch(() => null);
  if (!written) return;
  await copyFile(own, index);
  // Git distrusts what it knows of a file as young as the index: a younger copy would hide a change made in between.
  const writtenAt = Math.floor(written.mtimeMs / 1000);
  await utimes(index, writtenAt, writtenAt);
}

/** Puts the worktree as it is into the index. What git cannot read is left out, and said. */
async function addEverything(call: GitCall, leaveOut: readonly string[]): Promise<string> {
  await lookAtEverything(call);
  const { exitCode, stderr } = await askGit(['add', '--all', '--sparse', '--ignore-errors', ...wholeTree(leaveOut)], call);
  if (exitCode > 1) throw new GitError('git_failed', 'add', stderr);
  await git(['rm', '-r', '--quiet', '--cached', '--sparse', '--ignore-unmatch', ...ownTree(leaveOut)], call);
  return exitCode === 0 ? '' : stderr.trim();
}

/** Someone may have told git to assume that a file does not change. */
async function lookAtEverything(call: GitCall): Promise<void> {
  const listed = Buffer.from(await git(['ls-files', '-v', '-z'], call)).toString('latin1').split('\0');
  const assumed = listed.filter((line) => /^[a-z] /.test(line)).map((line) => `${line.slice(2)}\0`);
  if (assumed.length === 0) return;
  const input = Buffer.from(assumed.join(''), 'latin1');
  await git(['update-index', '--no-assume-unchanged', '-z', '--stdin'], { ...call, input });
}

/** The tree to compare with: the capture before, else the last commit, else nothing. */
async function baseOf(before: string, call: GitCall): Promise<string> {
  for (const name of [before, 'HEAD']) {
    const { exitCode, stdout } = await askGit(['rev-parse', '--verify', '--quiet', `${name}^{tree}`], call);
    if (exitCode === 0) return lineOf(stdout);
  }
  return gitLine(['hash-object', '-t', 'tree', '--stdin'], call);
}
