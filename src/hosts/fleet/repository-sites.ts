import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { askRemote } from '../../git/remote/ask-remote.ts';
import { userEmail } from '../../git/git-worktree.ts';
import { askGit, git, gitLine } from '../../git/process/git.ts';
import { faultAt } from '../../options/config-fault.ts';
import { isFolder } from '../../app/start/is-folder.ts';
import { OptionsError } from '../../app/start/options-error.ts';

const HASH = /^[\da-f]{40}(?:[\da-f]{24})?$/;
const NAME_CHARACTERS = 16;

/**
 * The copies of repositories that a worker makes its worktrees from: of each a mirror, and beside it one checkout for
 * each commit that runs begin with. The paths follow from the addresses, so that they are the same on all machines.
 */
export class RepositorySites {
  readonly #folder: string;
  /** Git would let two calls of one process wait for each other's locks in vain. */
  #last: Promise<unknown> = Promise.resolve();

  /** `folder`: absolute. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The folder of a checkout, where it is or will be. */
  siteOf(repository: string, commit: string): string {
    return join(this.#of(repository), commit.slice(0, NAME_CHARACTERS));
  }

  /**
   * Sees to it that the checkout of a commit is there, and returns its hash. Throws an `EnvironmentFault` where the
   * repository cannot be reached, and an `OptionsError` where it has no such commit.
   */
  async checkout(repository: string, name: string): Promise<string> {
    const made = this.#last.then(() => this.#checkout(repository, name));
    this.#last = made.catch(() => {});
    return made;
  }

  async #checkout(repository: string, name: string): Promise<string> {
    if (HASH.test(name) && (await isFolder(this.siteOf(repository, name)))) return name;
    const mirror = join(this.#of(repository), 'mirror.git');
    await mkdir(mirror, { recursive: true });
    const call = { directory: mirror };
    await git(['init', '--quiet', '--bare', '.'], call);
    const wanted = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    const what = `${repository} could not be fetched`;
    await askRemote(what, ['fetch', '--quiet', '--prune', repository, '+HEAD:refs/first/HEAD', ...wanted], call);
    const commit = await this.#commit(repository, name, mirror);
    const site = this.siteOf(repository, commit);
    if (!(await isFolder(site))) await makeSite({ mirror, repository, commit, site });
    return commit;
  }

  async #commit(repository: string, name: string, mirror: string): Promise<string> {
    const call = { directory: mirror };
    const found = async (ref: string) => {
      const { exitCode, stdout } = await askGit(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], call);
      return exitCode === 0 ? new TextDecoder().decode(stdout).trim() : null;
    };
    const refs = HASH.test(name) ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/first/${name}`];
    for (const ref of refs) {
      const commit = await found(ref);
      if (commit !== null) return commit;
    }
    // A commit that is on no branch any more: some servers still have it.
    if (HASH.test(name)) await askRemote('', ['fetch', '--quiet', repository, name], call).catch(() => {});
    const commit = HASH.test(name) ? await found(name) : null;
    if (commit === null) throw new OptionsError([faultAt('commit', name, `a commit that ${repository} has`)]);
    return commit;
  }

  /** A part that people read, and one that no two addresses share. */
  #of(repository: string): string {
    const last = /([^/:]*?)(?:\.git)?\/*$/.exec(repository)?.[1]?.replace(/[^\w.-]/g, '_') ?? '';
    const digest = createHash('sha256').update(repository).digest('hex').slice(0, NAME_CHARACTERS);
    return join(this.#folder, `${last}-${digest}`);
  }
}

interface Site {
  readonly mirror: string;
  readonly repository: string;
  readonly commit: string;
  readonly site: string;
}

/** The author of branches where git knows none: a container often has no user. */
const WORKER = [
  ['user.name', 'loopfold'],
  ['user.email', 'loopfold@localhost'],
] as const;

/** Under its name it is whole: another worker of this machine may look for it. */
async function makeSite({ mirror, repository, commit, site }: Site): Promise<void> {
  const draft = `${site}.${process.pid}.draft`;
  await rm(draft, { recursive: true, force: true });
  try {
    const call = { directory: draft, mayFetch: true };
    await git(['clone', '--quiet', '--no-checkout', mirror, draft], { ...call, directory: mirror });
    await gitLine(['remote', 'set-url', 'origin', repository], call);
    await git(['checkout', '--quiet', '--detach', commit], { ...call, settings: ['core.sparseCheckout=false'] });
    if ((await userEmail(draft)) === null) {
      for (const [name, value] of WORKER) await gitLine(['config', name, value], call);
    }
    await rename(draft, site);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isFolder(site))) throw error;
  }
}
