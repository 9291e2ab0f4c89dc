import { existsSync } from 'node:fs';
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { OWN_NAMES, ownPathspecs, pathspecsBesideOwn } from '../../text/own-files.ts';
import { askGit, git, type GitCall, GitError, gitLine } from '../process/git.ts';
import { inputOf, listNames } from '../process/git-names.ts';
import type { OriginRepository } from './origin-repository.ts';
import { type TreeEntries, treeEntries } from '../tree-change.ts';
import { isFile, sameEntry } from '../../evidence/tree-entry.ts';

const ATTRIBUTES = /(^|\/)\.gitattributes$/;
/** For every user of the machine. */
const SYSTEM_ATTRIBUTES = '/etc/gitattributes';

/**
 * The tree of a capture as the user's own git would store it, with the filters and line ends of the repository. It is
 * made before any agent of the run works, and only where attributes or settings can make a difference.
 */
export async function storedTree(
  captured: string,
  origin: OriginRepository,
  leaveOut: readonly string[],
): Promise<string> {
  const of: GitCall = { directory: origin.root, mayFetch: true };
  const names = await listNames(['ls-tree', '-r', '-z', '--full-tree', '--name-only', captured], of);
  if (!mayConvert(origin, names)) return captured;
  const files = await treeEntries(captured, of);
  const folder = await makeTemporaryFolder('index');
  try {
    const call = { ...of, index: join(folder, 'index') };
    await copyIndex(origin.index, call.index, leaveOut, call);
    const stored = await treeEntries(await addedTree(leaveOut, await uncaptured(files, call), call), call);
    const lines = [...files].flatMap(([name, entry]) => {
      const other = stored.get(name);
      const isConverted = isFile(entry) && isFile(other);
      return isConverted && !sameEntry(entry, other) ? [`${entry.mode} ${other.hash}\t${name}`] : [];
    });
    await git(['read-tree', '--reset', '--no-sparse-checkout', captured], call);
    await git(['update-index', '-z', '--index-info'], { ...call, input: inputOf(lines) });
    return await gitLine(['write-tree', '--missing-ok'], call);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the capture has left out, such as secrets: git stores none of it. In latin1. */
async function uncaptured(files: TreeEntries, call: GitCall): Promise<readonly string[]> {
  const others = await listNames(['ls-files', '-z', '--others', '--exclude-standard'], call);
  return others.filter((name) => !name.endsWith('/') && !files.has(name));
}

/** What cannot be read is in no capture either, which says so. `without`: in latin1. */
async function addedTree(leaveOut: readonly string[], without: readonly string[], call: GitCall): Promise<string> {
  const beside = pathspecsBesideOwn(leaveOut).map((pathspec) => Buffer.from(pathspec).toString('latin1'));
  const input = inputOf([...beside, ...without.map((name) => `:(top,exclude,literal)${name}`)]);
  const add = ['add', '--all', '--sparse', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];
  const { exitCode, stderr } = await askGit(add, { ...call, input });
  if (exitCode > 1) throw new GitError('git_failed', 'add', stderr || `exit code ${exitCode}`);
  return gitLine(['write-tree', '--missing-ok'], call);
}

/** Whether git may store something else than the bytes of these files, or check out something else than it stores. */
export const mayConvert = ({ common, settings }: OriginRepository, names: Iterable<string>): boolean =>
  settings.converts ||
  [join(common, 'info/attributes'), SYSTEM_ATTRIBUTES, userAttributes()].some((path) => existsSync(path)) ||
  [...names].some((name) => ATTRIBUTES.test(name));

const userAttributes = (): string =>
  join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'git/attributes');

/**
 * Copies the index of a worktree to that of the call: it knows which files are as they were, which spares reading them.
 * The copy lets git look at every file, and has none of the loop's own. Nothing to copy in a new repository.
 */
async function copyIndex(own: string, copy: string, leaveOut: readonly string[], call: GitCall): Promise<void> {
  if (!(await stat(own).catch(() => null))) return;
  await copyIndexFile(own, copy);
  await lookAtEverything(leaveOut, call);
}

/**
 * Copies an index with its time, which it must have. Git distrusts what it knows of a file as young as the index: a
 * younger copy would hide a change made in between.
 */
export async function copyIndexFile(own: string, copy: string): Promise<void> {
  const { mtimeMs } = await stat(own);
  await copyFile(own, copy);
  const writtenAt = Math.floor(mtimeMs / 1000);
  await utimes(copy, writtenAt, writtenAt);
}

const FORGET = ['rm', '-r', '--quiet', '--cached', '--sparse', '--ignore-unmatch'];

/** Someone may have told git to assume that a file does not change, or to track one of the loop's own. */
async function lookAtEverything(leaveOut: readonly string[], call: GitCall): Promise<void> {
  const listed = Buffer.from(await git(['ls-files', '-v', '-z'], call))
    .toString('latin1')
    .split('\0');
  const assumed = listed.filter((line) => /^[a-z] /.test(line)).map((line) => `${line.slice(2)}\0`);
  if (assumed.length > 0) {
    const input = Buffer.from(assumed.join(''), 'latin1');
    await git(['update-index', '--no-assume-unchanged', '-z', '--stdin'], { ...call, input });
  }
  const hasOwn = listed.some((line) => mayBeOwn(line.slice(2), leaveOut));
  if (hasOwn) await git([...FORGET, '--', ...ownPathspecs(leaveOut)], call);
}

/** Tells whether a path of the index, its bytes as latin1, can be one of the loop's own: git then decides. */
function mayBeOwn(path: string, leaveOut: readonly string[]): boolean {
  const named = [...OWN_NAMES, ...leaveOut.map((own) => Buffer.from(own).toString('latin1'))];
  return named.some((name) => path.includes(name));
}
