import { isRepository } from '../../evidence/tree-entry.ts';
import { existsSync } from 'node:fs';
import { access, constants, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  INCIDENTAL_LIMITS,
  MAX_INCIDENTAL_BYTES,
  MAX_INCIDENTAL_FILES,
  secretsLeftOut,
  withoutSecrets,
} from './secret-paths.ts';
import { askGit, git, type GitCall } from '../process/git.ts';
import { inputOf, listNames, nameText } from '../process/git-names.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { type ContentCall, ofContent } from './raw-repository.ts';
import type { TreeEntries } from '../tree-change.ts';

// Git adds of a repository within only its commit, and nothing of one without a commit. The commit of a repository that
// a run has made is lost with its worktree: the files of such a one are captured as ordinary files, unless there are so
// many that the run has cloned a project.

/** Why a repository is left out, for people. */
export const TOO_LARGE = `a repository that the run made or cloned, and there is ${INCIDENTAL_LIMITS} in those`;

export interface Nested {
  readonly leftOut: readonly LeftOut[];
  /** Paths that git must not add itself, in latin1: those that are too large, and secrets. */
  readonly excluded: readonly string[];
  /** All that git alone adds is what a capture has of them. */
  readonly isPlain: boolean;
}

/** Names of git's list that are repositories within, in latin1. */
export const repositoriesOf = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));

/**
 * Adds the files of repositories within to the index of a capture, where the run's start does not have them as
 * repositories. Of those that the run has made the smallest go first, and what is beyond the limits stays out.
 * `start`: what the run began with. Null: it begins now.
 */
export async function addNested(
  found: readonly string[],
  start: TreeEntries | null,
  call: ContentCall,
): Promise<Nested> {
  const made: FilesWithin[] = [];
  const secret: string[] = [];
  let isPlain = true;
  for (const within of found) {
    if (start ? isRepository(start.get(within)) : await hasCommit(within, call)) continue;
    isPlain = false;
    const isLimited = start !== null && ![...start.keys()].some((name) => name.startsWith(`${within}/`));
    const files = await filesWithin(within, isLimited, call);
    secret.push(...files.secret);
    if (isLimited) made.push(files);
    else await addFiles(files.names, call);
  }
  const { taken, left } = withinLimits(made);
  await addFiles(taken, call);
  const tooLarge = left.map((within) => ({ path: `${nameText(within)}/`, because: TOO_LARGE }));
  return { excluded: [...left, ...secret], leftOut: [...secretsLeftOut(secret), ...tooLarge], isPlain };
}

interface FilesWithin {
  readonly within: string;
  /** From the root, in latin1. */
  readonly names: readonly string[];
  /** Files that look secret, which are not among them, whether or not their own git tracks them. */
  readonly secret: readonly string[];
  /** Infinite where that alone is too many: then not all are named. */
  readonly bytes: number;
}

/** What one capture takes of repositories, each as a whole. */
function withinLimits(made: readonly FilesWithin[]) {
  const taken: string[] = [];
  const left: string[] = [];
  let total = 0;
  for (const { within, names, bytes } of made.toSorted((one, other) => one.names.length - other.names.length)) {
    if (taken.length + names.length > MAX_INCIDENTAL_FILES || total + bytes > MAX_INCIDENTAL_BYTES) left.push(within);
    else {
      total += bytes;
      taken.push(...names);
    }
  }
  return { taken, left };
}

async function addFiles(names: readonly string[], call: ContentCall): Promise<void> {
  if (names.length === 0) return;
  await git(['update-index', '--add', '-z', '--stdin'], { ...ofContent(call), input: inputOf(names) });
}

/** Other repositories that a run began with, in latin1. */
export const linksOf = (start: TreeEntries): readonly string[] =>
  [...start].flatMap(([name, entry]) => (isRepository(entry) ? [name] : []));

/** Of these folders of submodules, empty in a worktree, those in which the run has made a repository of its own. */
export const reusedLinks = (links: readonly string[], root: string): readonly string[] =>
  links.filter((link) => existsSync(join(root, nameText(link), '.git')));

/** Whether a repository within has one; empty: whether the workspace itself has. */
export async function hasCommit(within: string, call: GitCall): Promise<boolean> {
  const { exitCode } = await askGit(['rev-parse', '--verify', '--quiet', 'HEAD'], inside(within, call));
  return exitCode === 0;
}

/** What its own git does not ignore, and can be read; also of repositories within it. */
export async function filesWithin(within: string, isLimited: boolean, call: GitCall): Promise<FilesWithin> {
  const listed = await listNames(
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    inside(within, call),
  );
  const isTooMany = isLimited && listed.length > MAX_INCIDENTAL_FILES;
  const all = [...new Set(listed.map((one) => `${within}/${one}`))];
  const { taken, secret } = await withoutSecrets(isTooMany ? [] : all, call.directory, Infinity);
  const found = { within, names: [] as string[], secret: [...secret], bytes: isTooMany ? Infinity : 0 };
  for (const name of taken) {
    if (isLimited && found.bytes > MAX_INCIDENTAL_BYTES) break;
    if (name.endsWith('/')) {
      const more = await filesWithin(name.slice(0, -1), isLimited, call);
      found.names.push(...more.names);
      found.secret.push(...more.secret);
      found.bytes += more.bytes;
      continue;
    }
    const size = await readableBytes(join(call.directory, nameText(name)));
    if (size === null) continue;
    found.names.push(name);
    found.bytes += size;
  }
  return found;
}

const inside = (within: string, { directory, signal }: GitCall): GitCall => ({
  directory: join(directory, nameText(within)),
  signal,
});

/** Null: it is no file, or cannot be read. */
async function readableBytes(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null);
  if (found?.isSymbolicLink()) return found.size;
  return found?.isFile() && (await access(path, constants.R_OK).then(yes, no)) ? found.size : null;
}

const [yes, no] = [() => true, () => false];
