import { copyFile, cp, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orPlaceFault } from '../../log/environment-fault.ts';
import { checkoutWorkers } from './early-checkout.ts';
import { git, type GitCall } from '../process/git.ts';
import type { OriginRepository } from './origin-repository.ts';
import { configText, RAW_ATTRIBUTES } from '../capture/raw-repository.ts';
import { type TrueCheckout, trueCheckout } from './true-checkout.ts';

// A repository of our own, with the objects of the workspace's: no attribute, filter, hook, replaced object or setting
// of the workspace has a part in what a proof checks out.
/** Any name that was recorded is written. */
const SETTINGS = ['core.symlinks=true', 'core.protectNTFS=false', 'core.protectHFS=false'];

type Origin = Pick<OriginRepository, 'objects' | 'objectFormat' | 'common'>;

/** Makes a bare-bones repository in a folder, which borrows the objects of another one. Its checkout may be there. */
export async function proofRepository(folder: string, { objects, objectFormat }: Origin): Promise<GitCall> {
  const worktree = join(folder, 'mirror');
  const gitDirectory = join(folder, 'git');
  await mkdir(worktree, { recursive: true });
  await makeGitFolder(gitDirectory, { objectFormat, head: null, alternates: objects });
  await writeFile(join(gitDirectory, 'info/attributes'), RAW_ATTRIBUTES);
  return { directory: worktree, repository: { gitDirectory, worktree }, index: join(folder, 'index') };
}

/**
 * Brings the checkout to a tree, byte for byte. `known`: what is in it, from the time before. Throws a `GitError` where
 * an object is not what its name says.
 */
export async function bringTo(tree: string, call: GitCall, known: TrueCheckout | null): Promise<TrueCheckout> {
  const settings = [...SETTINGS, checkoutWorkers()];
  await git(['read-tree', '--no-sparse-checkout', '--reset', '-u', tree], { ...call, settings });
  await dateAfterFiles(call.index);
  return trueCheckout(tree, call, known);
}

/**
 * Dates an index one second after what was written. Git reads each file again that is as young as its index, since it
 * may have changed in the same second; here the seal of the checkout tells.
 */
async function dateAfterFiles(index: string | undefined): Promise<void> {
  if (index === undefined) return;
  const next = Math.floor(Date.now() / 1_000) + 1;
  // An empty tree has no index.
  await utimes(index, next, next).catch(() => {});
}

/**
 * Gives the checkout a repository that tests may call git in: at the commit that the run began on, without hooks,
 * remotes or settings. `borrowed`: where the objects of the workspace's repository can be read then.
 */
export async function givePrivateGit(
  call: GitCall,
  { common, objectFormat }: Origin,
  { head, borrowed }: { readonly head: string | null; readonly borrowed: string },
): Promise<void> {
  const own = join(call.directory, '.git');
  await rm(own, { recursive: true, force: true });
  await makeGitFolder(own, { objectFormat, head, alternates: borrowed });
  await mkdir(join(own, 'borrowed'));
  await Promise.all([
    cp(join(call.repository?.gitDirectory ?? '', 'objects'), join(own, 'objects'), {
      recursive: true,
      filter: (from) => !from.endsWith('/alternates'),
    }),
    // Before the first checkout there is no index, and in a repository with its whole history no `shallow`.
    copyFile(call.index ?? '', join(own, 'index')).catch(() => {}),
    copyFile(join(common, 'shallow'), join(own, 'shallow')).catch(() => {}),
  ]);
}

export interface GitFolder {
  readonly objectFormat: string;
  readonly head: string | null;
  readonly alternates: string;
}

export async function makeGitFolder(own: string, { objectFormat, head, alternates }: GitFolder): Promise<void> {
  const folders = ['objects/info', 'objects/pack', 'refs/heads', 'info'];
  try {
    await Promise.all(folders.map((folder) => mkdir(join(own, folder), { recursive: true })));
  } catch (error) {
    // Node calls a folder that could not be made missing, whatever the system said.
    throw orPlaceFault(own, 'See whether its disk has space and can be written, then try again.', error);
  }
  await Promise.all([
    writeFile(join(own, 'HEAD'), `${head ?? 'ref: refs/heads/main'}\n`),
    writeFile(join(own, 'config'), configText(objectFormat)),
    writeFile(join(own, 'objects/info/alternates'), `${alternates}\n`),
  ]);
}
