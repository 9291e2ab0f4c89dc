import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/place-fault.ts';
import { pathspecsBesideOwn } from '../../text/own-files.ts';
import { askGit, git, type GitCall, GitError, gitLine } from './git.ts';
import { inputOf, listNames } from './git-names.ts';
import { copyIndex } from './index-copy.ts';
import type { OriginRepository } from './origin-repository.ts';
import { type TreeEntries, treeEntries } from './tree-change.ts';
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
  const folder = await makeTemporaryFolder('loopfold-index-');
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
