import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { dependencyFolders } from '../../git/worktree/give-dependencies.ts';
import { worktreeFacts } from '../../git/git-worktree.ts';
import { isIgnored, listFiles } from '../../git/file-listing.ts';
import { boundedRead } from '../../config/read-within.ts';
import { exists } from '../../config/places.ts';
import { type Ground, groundsAmong, unmatched } from '../../evidence/classify-grounds.ts';
import { followConfiguration } from '../../evidence/follow-configuration.ts';
import { type FileKeys, keysOf } from '../../evidence/key-grounds.ts';
import { namedInChecks, type NamingCheck } from '../../evidence/files-in-checks.ts';
import { CACHES_OF_MODULES, isMade } from '../../evidence/never-given.ts';
import { nameOf } from '../../evidence/workspace-paths.ts';
import { ignoredFolder, noGit } from './runnable.ts';

/** Larger files of configuration are not read. */
const MAX_CONFIGURATION_BYTES = 1024 * 1024;

export interface GroundOptions {
  readonly checks: readonly NamingCheck[];
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
  /** Names or paths of folders of installed dependencies. */
  readonly deps: readonly string[];
}

/** What the checks of a workspace rest on. Paths are from `root`. */
export interface WorkspaceGrounds {
  /** The top of the worktree: absolute. */
  readonly root: string;
  /** How many files git tracks or would add. */
  readonly files: number;
  readonly grounds: ReadonlyMap<string, Ground>;
  /** Files that `unprotect` alone keeps from being grounds. */
  readonly released: readonly string[];
  /** Of files of which only some keys are grounds. */
  readonly keys: ReadonlyMap<string, FileKeys>;
  /** Folders of installed dependencies that git ignores. */
  readonly dependencies: readonly string[];
  /** Output of builds, and caches, that git ignores. */
  readonly made: readonly string[];
  readonly unmatched: { readonly protect: readonly string[]; readonly unprotect: readonly string[] };
  readonly unseen: Unseen;
}

/** Where further grounds may be named that were not found. */
export interface Unseen {
  /** Configuration that is code: what it computes. */
  readonly code: readonly string[];
  /** Configuration that cannot be read, or is too large or too much. */
  readonly unread: readonly string[];
  /** Files of tasks: what their recipes run. */
  readonly recipes: readonly string[];
  /** Commands that call scripts of other packages. */
  readonly elsewhere: readonly string[];
}

/**
 * Finds what the checks of the workspace around a folder rest on. Nothing of the workspace runs. Throws an
 * `EnvironmentError` outside of git, and a `GitError`.
 */
export async function workspaceGrounds(directory: string, options: GroundOptions): Promise<WorkspaceGrounds> {
  const { root, folder } = await worktreeOf(directory);
  const call = { directory: root };
  const [{ files, ignored }, dependencies] = await Promise.all([
    listFiles(call),
    dependencyFolders(options.deps, call),
  ]);
  const paths = new Set(files);
  const texts = new Map<string, string>();
  const read = async (path: string): Promise<string | null> => {
    const text = texts.get(path) ?? (await textIn(join(root, path)));
    if (text !== null) texts.set(path, text);
    return text;
  };
  const configuration = await followConfiguration(paths, read);
  const checks = namedInChecks({ checks: options.checks, folder, paths, packages: texts });
  const { protect, unprotect } = options;
  const { grounds, released } = groundsAmong(files, {
    protect,
    unprotect,
    checks: checks.files,
    configuration: configuration.files,
  });
  const keys = new Map<string, FileKeys>();
  for (const [path, { reason }] of grounds) {
    if (reason === 'keys') keys.set(path, keysOf(path, await read(path)));
  }
  return {
    root,
    files: files.length,
    grounds,
    released,
    keys,
    dependencies,
    made: [...ignored.filter((path) => isMade(path)), ...(await cachesIn(root, dependencies))].toSorted(),
    unmatched: { protect: unmatched(protect, files), unprotect: unmatched(unprotect, files) },
    unseen: {
      code: configuration.code,
      unread: configuration.unread,
      recipes: [...grounds].flatMap(([path, { reason }]) => (reason === 'tasks' && hasRecipes(path) ? [path] : [])),
      elsewhere: checks.unseen,
    },
  };
}

async function worktreeOf(directory: string): Promise<{ readonly root: string; readonly folder: string }> {
  const facts = await worktreeFacts(['--show-prefix'], { directory });
  if (facts === null) throw await noGit(directory, 'grounds are files that git keeps');
  const [root = '', prefix = ''] = facts;
  if (prefix !== '' && (await isIgnored(directory, '.'))) {
    throw ignoredFolder(directory);
  }
  return { root, folder: prefix.replace(/\/$/, '') };
}

/** Null: it is no regular file, cannot be read, or is too large. A link could lead anywhere. */
async function textIn(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile()) return null;
  const read = await boundedRead(path, MAX_CONFIGURATION_BYTES);
  return read.kind === 'text' ? read.text : null;
}

async function cachesIn(root: string, dependencies: readonly string[]): Promise<readonly string[]> {
  const caches = dependencies
    .filter((path) => nameOf(path) === 'node_modules')
    .flatMap((path) => CACHES_OF_MODULES.map((name) => `${path}/${name}`));
  const found = await Promise.all(caches.map((path) => exists(join(root, path))));
  return caches.filter((_path, index) => found[index]);
}

const hasRecipes = (path: string) => !path.startsWith('.github/');
