import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitCall } from '../../git/process/git.ts';
import { nameText } from '../../git/process/git-names.ts';
import { ignoredFiles } from '../../git/worktree/give-dependencies.ts';
import { unfilledSubmodules, nestedIn, pointersIn } from './empty-submodules.ts';
import { untrackedFiles } from '../../git/capture/secret-paths.ts';
import { boundedRead } from '../../config/read-within.ts';
import { buildIn } from '../../evidence/build-script.ts';
import { type Lack, namedLacks } from '../../evidence/checkout-lacks.ts';
import type { NamingCheck } from '../../evidence/files-in-checks.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import type { WorkspaceGrounds } from './workspace-grounds.ts';

/** More grounds are not looked through for what they name, nor larger ones. */
const MAX_NAMING_FILES = 300;
const MAX_NAMING_BYTES = 1024 * 1024;
const MANIFEST = 'package.json';

export interface KnownLacks {
  readonly lacks: readonly Lack[];
  /** The command by which the project builds itself. Null: it names none. */
  readonly build: string | null;
}

type Found = Pick<WorkspaceGrounds, 'root' | 'grounds' | 'dependencies'>;

/**
 * What the folder has and a checkout lacks, as far as files tell it. Nothing of the workspace runs. Throws a
 * `GitError`. `mostBytes`: the limit of captures; absent: the usual one.
 */
export async function lacksOfCheckout(
  found: Found,
  checks: readonly NamingCheck[],
  mostBytes?: number,
): Promise<KnownLacks> {
  const { root, grounds } = found;
  const call: GitCall = { directory: root };
  const { secret, large } = await untrackedFiles(call, { mostBytes });
  const [ignored, submodules, pointers, nested] = await Promise.all([
    ignoredIn(found, secret, call),
    unfilledSubmodules(call),
    pointersIn(call),
    nestedIn(call),
  ]);
  const texts = await Promise.all(
    [...grounds.keys()].slice(0, MAX_NAMING_FILES).map(async (name) => ({ name, text: await textOf(root, name) })),
  );
  const commands = checks.map(({ name, command }) => ({ name: `the check ${name}`, text: command }));
  return {
    lacks: [
      ...namedLacks(ignored, [...commands, ...texts]),
      ...submodules,
      ...pointers,
      ...nested,
      ...large.map(tooLarge),
    ],
    build: buildIn(await textOf(root, MANIFEST)),
  };
}

const tooLarge = (name: string): Lack => ({ path: nameText(name), kind: 'large', by: null });

async function textOf(root: string, path: string): Promise<string> {
  const read = await boundedRead(join(root, path), MAX_NAMING_BYTES);
  return read.kind === 'text' ? read.text : '';
}

/** Paths that no capture has, a folder with a slash. */
async function ignoredIn(
  { root, dependencies }: Found,
  secret: readonly string[],
  call: GitCall,
): Promise<readonly string[]> {
  const given = new Set(dependencies);
  const paths = (await ignoredFiles(call)).filter((path) => !given.has(path) && !path.split('/').includes(OWN_FOLDER));
  const folders = await Promise.all(
    paths.map(async (path) => ((await lstat(join(root, path)).catch(() => null))?.isDirectory() ? `${path}/` : path)),
  );
  return [...folders, ...secret.map(nameText)];
}
