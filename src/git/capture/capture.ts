import type { ChangedFile, LeftOut } from '../../../machines/events.ts';
import { pathspecsBesideOwn } from '../../text/own-files.ts';
import { changedFiles } from '../tree-change.ts';
import { captureAsItIs } from './capture-as-it-is.ts';
import { captureByRules } from './capture-by-rules.ts';
import { git, type GitCall, lineOf, type RepositoryOf } from '../process/git.ts';
import { keepLeftOut } from './omissions.ts';
import { rawRepository } from './raw-repository.ts';
import { type CapturePlace, keepRunLog, runRef } from '../run-refs.ts';
import { unreadText } from './text-of-unread.ts';

const NUMSTAT = ['diff-tree', '-r', '-z', '--numstat', '--no-renames'];

export interface Captures {
  readonly run: string;
  /** Null: under no ref, to be compared with others only. */
  readonly number: CapturePlace | null;
  readonly base?: string | null;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
  readonly listsChanges?: boolean;
  /** Larger files that git does not track are left out: bytes. Absent: the usual limit. */
  readonly captureLimit?: number | undefined;
  /** The address of the log that has the run. Null: it is not known. */
  readonly store?: string | null;
}

export interface Worktree {
  /** Its top folder. */
  readonly root: string;
  /** Its own index: there is no such file yet in a new repository. */
  readonly index: string;
  /** Where its repository has its objects, and in which format. */
  readonly objects: string;
  readonly objectFormat: string;
  /** Keeps the capture, where that is not the repository that the root lies in. */
  readonly repository?: RepositoryOf | undefined;
}

export interface Captured {
  readonly hash: string;
  /** Null: it was asked for without one. */
  readonly ref: string | null;
  readonly changed: readonly ChangedFile[];
  /** Paths that git would have added, but for the rules of the run's beginning. */
  readonly leftOut: readonly LeftOut[];
  /** Files that git could not read, and what to do, for people; empty where it read all. */
  readonly unread: string;
}

/**
 * Records the whole worktree, the bytes of each file, as a tree under a ref of the run. It starts nothing that the
 * workspace or its git configuration names (raw-repository.ts). New objects and that ref are all that is written to the
 * repository. What git ignores is decided when the run begins (rules-of-start.ts).
 */
export async function capture(worktree: Worktree, captures: Captures, signal: AbortSignal): Promise<Captured> {
  const { root, index, repository, objects, objectFormat } = worktree;
  const { run, number, base = null, leaveOut, listsChanges = true, store = null, captureLimit } = captures;
  const place = { directory: root, repository, signal };
  const content = await rawRepository({ objects, format: objectFormat }, root, place);
  const call = { ...place, content };
  // First: captures of a process that is killed in between could be of any log, and would be kept for ever. A run
  // without the capture of its start has 1 as its first.
  if (store !== null && (number === 0 || number === 1 || number === 'end')) await keepRunLog(run, store, call);
  // With what runs write themselves, no two captures would ever be alike.
  const asked = { run, number, base, index, leaveOut, pathspecs: pathspecsBesideOwn(leaveOut), captureLimit };
  const key = JSON.stringify([run, index, root, repository ?? null, leaveOut]);
  const byRules = number === 0 ? null : await captureByRules(key, asked, call);
  const { hash, changes, leftOut, ...added } = byRules ?? (await captureAsItIs(key, asked, call));
  const unread = unreadText(added.unread);
  if (number === 'end' || (number === 0 && leftOut.length > 0)) await keepLeftOut(run, leftOut, call);
  const ref = number === null ? null : runRef(run, number);
  if (!listsChanges) return { hash, ref, changed: [], leftOut, unread };
  const before = base ?? (typeof number === 'number' ? runRef(run, number - 1) : 'HEAD');
  const changed = changes?.map(({ path, added, removed }) => ({ path, added, removed }));
  return { hash, ref, changed: changed ?? (await changesSince(before, hash, leaveOut, call)), leftOut, unread };
}

/** What differs from the capture before, else from the last commit, else from nothing. */
async function changesSince(
  before: string,
  hash: string,
  leaveOut: readonly string[],
  call: GitCall,
): Promise<readonly ChangedFile[]> {
  if (before === hash) return [];
  const base = (await treeOf([before, 'HEAD'], call)) ?? emptyTree(hash);
  if (base === hash) return [];
  return changedFiles(await git([...NUMSTAT, base, hash, '--', ...pathspecsBesideOwn(leaveOut)], call));
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
