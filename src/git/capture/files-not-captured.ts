import { existsSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { logFiles } from '../../log/log-files.ts';
import { git, type GitCall, gitFacts, gitLine } from '../process/git.ts';
import { nameText, repositoriesAmong } from '../process/git-names.ts';
import { worktreeFacts } from '../git-worktree.ts';
import { keepMoreLeftOut, leftOutOf } from './omissions.ts';
import { TOO_LARGE } from './inner-repositories.ts';
import { rawRepositoryOf } from './raw-repository.ts';
import { runRef } from '../run-refs.ts';
import { changedSinceFilled, repositoriesOf } from '../worktree/submodule-files.ts';
import { untrackedLeftOut, withoutSecrets } from './secret-paths.ts';
import { worktreeAround } from '../worktree/worktree-around.ts';

// A capture has of a repository within only its commit: a file that a run writes into a submodule, or into another
// repository that its start has, is in no change of the run. Such files are kept in a tree of their own, and named.

/** More repositories, or files, of one run are neither kept nor named. */
const MAX_REPOSITORIES = 50;
const MAX_FILES = 1_000;

export interface Uncaptured {
  readonly directory: string;
  readonly run: string;
  /** The capture of how the run left its workspace. */
  readonly tree: string;
  /** When the run began, in ms since 1970 as files have it: older ones are not of the run. */
  readonly since: number;
  /** The address of the log, whose files are not of the run. */
  readonly store: string;
  /** As of the captures of the run. */
  readonly captureLimit?: number | undefined;
}

export interface KeptUncaptured {
  /** From the top of the workspace. */
  readonly paths: readonly string[];
  /** How many more files, or whole repositories, are over the limits: git keeps them nowhere. */
  readonly beyond: number;
}

/** Keeps the files that a run has written into repositories within its workspace, up to the limits. */
export async function keepUncaptured({
  directory,
  run,
  tree,
  since,
  store,
  captureLimit,
}: Uncaptured): Promise<KeptUncaptured> {
  const around = await worktreeAround(directory);
  const repository = around?.repository;
  const [root] = (await worktreeFacts([], { directory, repository })) ?? [];
  if (root === undefined) return { paths: [], beyond: 0 };
  const call: GitCall = { directory: root, repository };
  const own = new Set(logFiles(store));
  const isOwn = (path: string) => own.has(path) || own.has(dirname(path));
  const paths: string[] = [];
  const repositories = await repositoriesOf(tree, call);
  // In a moved project it is not there any more.
  const facts = around && repositories.length > 0 ? worktreeFacts([], { directory: around.origin }) : null;
  const [from = null] = (await facts?.catch(() => null)) ?? [];
  for (const { within, commit } of repositories.slice(0, MAX_REPOSITORIES)) {
    const files = await filesOf(root, within, repository !== undefined);
    for (const path of from === null ? files : await changedSinceFilled(files, { root, from, within, commit })) {
      if (!isOwn(join(root, path)) && (await isWritten(join(root, path), since))) paths.push(path);
    }
  }
  const sorted = await withoutSecrets(paths.map(bytesText), root, repository ? Infinity : captureLimit);
  const left = untrackedLeftOut(sorted);
  if (left.length > 0) await keepMoreLeftOut(run, left, call);
  const taken = sorted.taken.map(nameText);
  const kept = taken.slice(0, MAX_FILES);
  if (kept.length > 0) await keep(run, kept, call);
  const unread = Math.max(0, repositories.length - MAX_REPOSITORIES);
  return { paths: kept, beyond: taken.length - kept.length + unread + (await unsavedIn(run, call)) };
}

const bytesText = (path: string): string => Buffer.from(path).toString('latin1');

/** How many of the repositories that are too large for a capture have work that can be cloned from nowhere. */
async function unsavedIn(run: string, call: GitCall): Promise<number> {
  const tooLarge = (await leftOutOf(run, call)).filter(({ because }) => because === TOO_LARGE);
  const works = await Promise.all(tooLarge.map(({ path }) => ownWorkIn({ directory: join(call.directory, path) })));
  return works.filter((work) => work !== '').length;
}

const UNPUSHED = ['rev-list', '--max-count=1', '--all', 'HEAD', '--not', '--remotes'];
const STAGED = ['diff-index', '--cached', '--name-only', '--ignore-submodules=dirty', 'HEAD'];

/** What `git status` would say, but for the filters and monitors that it runs, also of repositories within. */
async function ownWorkIn(within: GitCall): Promise<string> {
  // One that cannot be asked may have some.
  const found = [modifiedIn(within), ...[UNPUSHED, STAGED].map(async (asked) => gitLine(asked, within))];
  return (await Promise.all([...found, workWithin(within)]).catch(() => ['unknown'])).join('');
}

async function workWithin(call: GitCall): Promise<string> {
  const links = repositoriesAmong(split(await git(['ls-files', '--stage', '-z'], call)));
  const present = links.map((link) => join(call.directory, link)).filter((folder) => existsSync(join(folder, '.git')));
  return (await Promise.all(present.map((directory) => ownWorkIn({ directory })))).join('');
}

/** Files of a repository that differ from its index, or are new, with a null byte after each. */
export async function modifiedIn(call: GitCall): Promise<string> {
  const [root = '', index = ''] = await gitFacts(['--show-toplevel', '--git-path index'], call);
  const raw = await rawRepositoryOf(call, root);
  const listed = await Promise.all([
    git(['ls-files', '--others', '--exclude-standard', '-z'], call),
    git(['ls-files', '--modified', '-z'], { ...call, raw, index }),
  ]);
  return Buffer.concat(listed).toString();
}

/** The paths of files of a run that no capture has. */
export async function uncapturedOf(run: string, call: GitCall): Promise<readonly string[]> {
  const options = ['-r', '-z', '--full-tree', '--name-only'];
  const listed = await git(['ls-tree', ...options, runRef(run, 'uncaptured')], call).catch(() => null);
  return listed === null ? [] : split(listed);
}

const ALL_FILES = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];

/** What git would list there, if `isOwn` what is committed, too; or all of a folder without a repository. */
async function filesOf(root: string, within: string, isOwn: boolean): Promise<readonly string[]> {
  const folder = join(root, within);
  const isRepository = await lstat(join(folder, '.git')).catch(() => null);
  const call = { directory: folder };
  const inRepository = async () =>
    isOwn ? split(await git(ALL_FILES, call)) : split(Buffer.from(await modifiedIn(call)));
  const files = isRepository
    ? await inRepository().catch(() => [])
    : await readdir(folder, { recursive: true }).catch(() => []);
  return files.filter((file) => !INSTALLED.test(file)).map((file) => `${within}/${file}`);
}

/** Installed again with one command, and more than the limits allow. */
const INSTALLED = /(^|\/)node_modules\//;

const isWritten = (path: string, since: number): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile() && found.ctimeMs >= since,
    () => false,
  );

async function keep(run: string, paths: readonly string[], call: GitCall): Promise<void> {
  const folder = await makeTemporaryFolder('index');
  try {
    const own = { ...call, index: join(folder, 'index') };
    const bytes = (lines: readonly string[], end: string) => Buffer.from(lines.map((line) => `${line}${end}`).join(''));
    const hashed = await gitLine(['hash-object', '-w', '--no-filters', '--stdin-paths'], {
      ...own,
      input: bytes(paths.map(asLine), '\n'),
    });
    const hashes = hashed.split('\n');
    const entries = paths.map((path, index) => `100644 ${hashes[index]}\t${path}`);
    await git(['update-index', '--add', '-z', '--index-info'], { ...own, input: bytes(entries, '\0') });
    await git(['update-ref', runRef(run, 'uncaptured'), await gitLine(['write-tree'], own)], own);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Git reads a name that begins with a quotation mark as one in C's notation. */
const asLine = (path: string): string =>
  path.startsWith('"') || path.includes('\n')
    ? `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
    : path;

const split = (listed: Uint8Array): readonly string[] =>
  Buffer.from(listed)
    .toString()
    .split('\0')
    .filter((line) => line !== '');
