import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangedFile } from '../../../machines/events.ts';
import { OWN_FILES } from '../../text/own-files.ts';
import { changedFiles } from './changed-files.ts';
import {
  askGitScript,
  factsCommand,
  factsText,
  git,
  type GitCall,
  GitError,
  lineOf,
  type RepositoryOf,
} from './git.ts';
import { nameText } from './git-names.ts';
import { holdToRules, NOTHING_HELD } from './hold-to-rules.ts';
import { keepRules, presentRules, rulesOf } from './rules-of-start.ts';
import { copyIndex } from './index-copy.ts';
import { keepLeftOut, type LeftOut } from './kept-out.ts';
import { addNested } from './nested-repositories.ts';
import { keepRunLog } from './run-log.ts';
import { type CapturePlace, runRef } from './run-refs.ts';

// With what runs write themselves, no two captures would ever be alike.

const wholeTree = (leaveOut: readonly string[]) => [
  ':/',
  ...OWN_FILES.map((pattern) => `:(top,exclude,glob)**/${pattern}`),
  ...leaveOut.map((path) => `:(top,exclude,literal)${path}`),
];
const without = (path: string) => `:(top,exclude,literal)${path.replace(/\/$/, '')}`;
const NUMSTAT = ['diff-tree', '-r', '-z', '--numstat', '--no-renames'];

export interface Captures {
  readonly run: string;
  /** Null: under no ref, to be compared with others only. */
  readonly number: CapturePlace | null;
  readonly base?: string | null;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
  readonly listsChanges?: boolean;
  /** The address of the log that has the run. Null: it is not known. */
  readonly store?: string | null;
}

export interface Worktree {
  /** Its top folder. */
  readonly root: string;
  /** Its own index: there is no such file yet in a new repository. */
  readonly index: string;
  /** What `PLACE_FACTS` were when they were asked for: git confirms them, or the capture fails as `rev-parse`. */
  readonly expected?: { readonly directory: string; readonly facts: readonly string[] } | undefined;
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
  /** What git said of files it could not read; empty where it read all. */
  readonly unread: string;
}

/**
 * Records the whole worktree as a tree under a ref of the run. New objects and that ref are all that is written to
 * the repository: the index that git needs for it is a copy. What git ignores is decided
 * when the run begins (rules-of-start.ts).
 */
export async function capture(
  { root, index: own, repository, expected }: Worktree,
  { run, number, base: given, leaveOut, listsChanges = true, store = null }: Captures,
  signal: AbortSignal,
): Promise<Captured> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-index-'));
  try {
    const call = { directory: root, index: join(folder, 'index'), repository, signal };
    await copyIndex(own, call.index, leaveOut, call);
    const ref = number === null ? null : runRef(run, number);
    const begun = number === 0 ? null : await rulesOf(run, call);
    const present = number === 0 ? await presentRules(null, call) : null;
    const pathspecs = wholeTree(leaveOut);
    const held = begun ? await holdToRules({ run, rules: begun, folder, pathspecs }, call) : NOTHING_HELD;
    // What the rules leave out is no repository of the run.
    const added = [...pathspecs, ...held.excluded.map(nameText).map(without)];
    const nested = await addNested({ run, number, pathspecs: added, isOwn: repository !== undefined }, call);
    const excluded = [...held.excluded, ...nested];
    const { hash, unread } = await recordEverything(ref, expected, { pathspecs, excluded }, call);
    if (present) await keepRules(run, present, call);
    // A run without the capture of its start has 1 as its first.
    if (store !== null && (number === 0 || number === 1 || number === 'end')) await keepRunLog(run, store, call);
    if (number === 'end') await keepLeftOut(run, held.leftOut, call);
    const before = given ?? (typeof number === 'number' ? runRef(run, number - 1) : 'HEAD');
    const changed = listsChanges ? await changesSince(before, hash, leaveOut, call) : [];
    return { hash, ref, changed, leftOut: held.leftOut, unread };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a capture has to know of the folder that it is asked for. */
export const PLACE_FACTS = ['--show-toplevel', '--show-prefix', '--git-path index'];

/**
 * Confirms what is expected of the place, adds the worktree to the index, writes it as a tree, and puts a ref on that.
 * Says how far it came.
 */
const RECORDING = `
directory=$1 expected=$2 ref=$3; shift 3
if [ -n "$expected" ]; then
  found=$(unset GIT_INDEX_FILE; "$@" -C "$directory" ${factsCommand(PLACE_FACTS).join(' ')} </dev/null) || exit
  [ "$found" = "$expected" ] || exit 1
fi
echo place
"$@" add --all --sparse --ignore-errors --pathspec-from-file=- --pathspec-file-nul; added=$?
[ $added -le 1 ] || exit $added
echo $added
tree=$("$@" write-tree </dev/null) || exit
echo "$tree"
[ -z "$ref" ] || "$@" update-ref "$ref" "$tree" </dev/null`;
const RECORDING_STEPS = ['rev-parse', 'add', 'write-tree', 'update-ref'];

/** Records the worktree as it is. What git cannot read is left out, and said. */
async function recordEverything(
  ref: string | null,
  expected: Worktree['expected'],
  { pathspecs, excluded }: { readonly pathspecs: readonly string[]; readonly excluded: readonly string[] },
  call: GitCall,
): Promise<Pick<Captured, 'hash' | 'unread'>> {
  const input = Buffer.concat([
    Buffer.from(pathspecs.join('\0')),
    Buffer.from(excluded.map((path) => `\0${without(path)}`).join(''), 'latin1'),
  ]);
  const place = [expected?.directory ?? '', expected ? factsText(expected.facts) : ''];
  const script = { lines: RECORDING, parameters: [...place, ref ?? ''] };
  const { exitCode, stdout, stderr } = await askGitScript(script, { ...call, input });
  const said = lineOf(stdout).split('\n');
  const [, added, hash = ''] = said;
  if (exitCode === 0) return { hash, unread: added === '0' ? '' : stderr.trim() };
  const step = RECORDING_STEPS[said.filter((line) => line !== '').length] ?? '';
  throw new GitError('git_failed', step, stderr || `exit code ${exitCode}`);
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
  return base === hash ? [] : changedFiles(await git([...NUMSTAT, base, hash, '--', ...wholeTree(leaveOut)], call));
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
