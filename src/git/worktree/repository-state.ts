import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { sectionsOf } from '../../text/git-config-sections.ts';
import { errorCode } from '../../text/error-code.ts';
import { git, type GitCall, gitLine } from '../process/git.ts';

/** What a repository has beside objects and files, by names for people: hashes, or why there is no hash. */
export type RepositoryState = Readonly<Record<string, string>>;

/** Files of a git directory by which git takes another one, runs programs, finds objects, or leaves out files. */
const FILES = ['commondir', 'info/attributes', 'info/exclude', 'info/grafts', 'objects/info/alternates'];
const CONFIGURATION = ['config', 'config.worktree'];
const HOOKS_PATH = /^hookspath\s*=/i;
/** The most files of a folder of hooks that is named. */
const MAX_HOOKS = 100;
/** Where branches push to, and what they were made from: people, and their editors, write that at any time. */
const OF_BRANCHES = /^branch\b/i;

/**
 * What git goes by in a git directory: `hooks/pre-push`, `config [core]`. Starts no process. Null: there is no such
 * directory.
 */
export async function settingsState(common: string): Promise<RepositoryState | null> {
  const [isThere, hooks, ...files] = await Promise.all([
    digestOf(join(common, 'HEAD')),
    readdir(join(common, 'hooks')).catch(() => []),
    ...FILES.map(async (name) => [name, await digestOf(join(common, name))] as const),
  ]);
  if (isThere === null) return null;
  const [ofHooks, ...sections] = await Promise.all([
    Promise.all(hooks.map(async (name) => [`hooks/${name}`, await digestOf(join(common, 'hooks', name))] as const)),
    ...CONFIGURATION.map((name) => configurationOf(common, name)),
  ]);
  const elsewhere = await hooksElsewhere(common);
  return Object.fromEntries([...files, ...ofHooks, ...elsewhere, ...sections.flat()].filter(isFound));
}

/** Hooks in the folder that the configuration names in place of `hooks`. */
async function hooksElsewhere(common: string): Promise<readonly (readonly [string, string | null])[]> {
  const text = await readFile(join(common, 'config'), 'utf8').catch(() => '');
  const named = (sectionsOf(text).get('core') ?? []).findLast((line) => HOOKS_PATH.test(line));
  const place = named?.replace(HOOKS_PATH, '').replaceAll('"', '').trim() ?? '';
  if (place === '') return [];
  const folder = resolve(basename(common) === '.git' ? dirname(common) : common, place.replace(/^~(?=\/)/, homedir()));
  const names = (await readdir(folder).catch(() => [])).slice(0, MAX_HOOKS);
  return Promise.all(names.map(async (name) => [`${place}/${name}`, await digestOf(join(folder, name))] as const));
}

const isFound = (entry: readonly [string, string | null]): entry is readonly [string, string] => entry[1] !== null;

async function configurationOf(common: string, name: string): Promise<readonly (readonly [string, string])[]> {
  const text = await readFile(join(common, name), 'utf8').catch(() => '');
  const sections = [...sectionsOf(text)].filter(([section]) => !OF_BRANCHES.test(section));
  return sections.map(([section, lines]) => [`${name} [${section}]`, hashOf(JSON.stringify(lines))]);
}

/** Runs keep what they capture there, and git what it has fetched, in the background, too. */
const OF_OTHERS = ['refs/loopfold/', 'refs/remotes/', 'refs/prefetch/'];

/** The branches and tags of the repository around a folder, and what is checked out there. Throws a `GitError`. */
export async function refsState(directory: string): Promise<RepositoryState> {
  const call: GitCall = { directory };
  const [own, listed] = await Promise.all([
    gitLine(['rev-parse', '--absolute-git-dir'], call),
    git(['for-each-ref', '--format=%(objectname)%(symref) %(refname)'], call),
  ]);
  const refs = new TextDecoder()
    .decode(listed)
    .split('\n')
    .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const)
    .filter(([name]) => name !== '' && !OF_OTHERS.some((prefix) => name.startsWith(prefix)));
  return { ...Object.fromEntries(refs), HEAD: (await digestOf(join(own, 'HEAD'))) ?? '' };
}

/** Of the content, and of who may run it. Null: there is no such file. */
async function digestOf(file: string): Promise<string | null> {
  try {
    const { mode } = await lstat(file);
    return hashOf(`${mode}\n`, await readFile(file));
  } catch (error) {
    const code = errorCode(error);
    // A folder, or what may not be read, has no content to compare.
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : String(code);
  }
}

const hashOf = (...parts: readonly (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
