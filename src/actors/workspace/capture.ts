import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangedFile } from '../../../machines/events.ts';
import { OWN_FILES } from '../../text/own-files.ts';
import { changedFiles } from './changed-files.ts';
import { askGit, git, type GitCall, GitError, gitLine, lineOf, type RepositoryOf } from './git.ts';
import { type CapturePlace, runRef } from './run-refs.ts';

// With what runs write themselves, no two captures would ever be alike.

/** What every path that one of `OWN_FILES` means contains. */
const OWN_NAMES = ['.loopfold', '.claude/ralph-loop.local.md'];
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
  /** Null: under no ref, to be compared with others only. */
  readonly number: CapturePlace | null;
  readonly base?: string | null;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
  readonly listsChanges?: boolean;
}

export interface Worktree {
  /** Its top folder. */
  readonly root: string;
  /** Its own index: there is no such file yet in a new repository. */
  readonly index: string;
  /** Keeps the capture, where that is not the repository that the root lies in. */
  readonly repository?: RepositoryOf | undefined;
}

export interface Captured {
  readonly hash: string;
  /** Null: it was asked for without one. */
  readonly ref: string | null;
  readonly changed: readonly ChangedFile[];
  /** What git said of files it could not read; empty where it read all. */
  readonly unread: string;
}

/**
 * Records the whole worktree as a tree under a ref of the run. New objects and that ref are all that is written to
 * the repository: the index that git needs for it is a copy.
 */
export async function capture(
  { root, index: own, repository }: Worktree,
  { run, number, base: given, leaveOut, listsChanges = true }: Captures,
  signal: AbortSignal,
): Promise<Captured> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-index-'));
  try {
    const call = { directory: root, index: join(folder, 'index'), repository, signal };
    const known = (await copyIndex(own, call.index)) ? await lookAtEverything(call) : [];
    const unread = await addEverything(call, leaveOut);
    if (known.some((path) => mayBeOwn(path, leaveOut))) {
      await git(['rm', '-r', '--quiet', '--cached', '--sparse', '--ignore-unmatch', ...ownTree(leaveOut)], call);
    }
    const hash = await gitLine(['write-tree'], call);
    const before = given ?? (typeof number === 'number' ? runRef(run, number - 1) : 'HEAD');
    const changed = listsChanges ? await changesSince(before, hash, leaveOut, call) : [];
    const ref = number === null ? null : runRef(run, number);
    if (ref !== null) await git(['update-ref', ref, hash], call);
    return { hash, ref, changed, unread };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A copy knows which files are as they were, which spares reading them. False in a new repository, which has no index.
 */
async function copyIndex(own: string, copy: string): Promise<boolean> {
  const written = await stat(own).catch(() => null);
  if (!written) return false;
  await copyFile(own, copy);
  // Git distrusts what it knows of a file as young as the index: a younger copy would hide a change made in between.
  const writtenAt = Math.floor(written.mtimeMs / 1000);
  await utimes(copy, writtenAt, writtenAt);
  return true;
}

/** Puts the worktree as it is into the index. What git cannot read is left out, and said. */
async function addEverything(call: GitCall, leaveOut: readonly string[]): Promise<string> {
  const { exitCode, stderr } = await askGit(
    ['add', '--all', '--sparse', '--ignore-errors', ...wholeTree(leaveOut)],
    call,
  );
  if (exitCode > 1) throw new GitError('git_failed', 'add', stderr);
  return exitCode === 0 ? '' : stderr.trim();
}

/** The paths in the index. Someone may have told git to assume that a file does not change. */
async function lookAtEverything(call: GitCall): Promise<readonly string[]> {
  const listed = Buffer.from(await git(['ls-files', '-v', '-z'], call))
    .toString('latin1')
    .split('\0');
  const assumed = listed.filter((line) => /^[a-z] /.test(line)).map((line) => `${line.slice(2)}\0`);
  if (assumed.length > 0) {
    const input = Buffer.from(assumed.join(''), 'latin1');
    await git(['update-index', '--no-assume-unchanged', '-z', '--stdin'], { ...call, input });
  }
  return listed.map((line) => line.slice(2));
}

/** Whether a path of the index, its bytes as latin1, can be one of the loop's own: git then decides. */
function mayBeOwn(path: string, leaveOut: readonly string[]): boolean {
  const named = [...OWN_NAMES, ...leaveOut.map((own) => Buffer.from(own).toString('latin1'))];
  return named.some((name) => path.includes(name));
}

/** What differs from the capture before, else from the last commit, else from nothing. */
async function changesSince(
  before: string,
  hash: string,
  leaveOut: readonly string[],
  call: GitCall,
): Promise<readonly ChangedFile[]> {
  const base = (await treeOf([before, 'HEAD'], call)) ?? emptyTree(hash);
  return base === hash ? [] : changedFiles(await git([...NUMSTAT, base, hash, ...wholeTree(leaveOut)], call));
}

/** The tree of the first of these names that has one. */
async function treeOf(names: readonly string[], call: GitCall): Promise<string | null> {
  const input = Buffer.from(names.map((name) => `${name}^{tree}\n`).join(''));
  const found = lineOf(await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { ...call, input }));
  return /^([\da-f]+) tree$/m.exec(found)?.[1] ?? null;
}

/** Git knows the tree of nothing without an object: its hash under SHA-256, or SHA-1. */
const emptyTree = ({ length }: string) =>
  length === 64
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
