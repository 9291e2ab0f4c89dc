import picomatch from 'picomatch';
import { EnvironmentFault } from '../../log/environment-fault.ts';
import type { RunOptions } from '../../config/options.ts';
import { askRemote } from '../../git/remote/ask-remote.ts';
import { CaptureRemote } from '../../git/remote/capture-remote.ts';
import { removeWorktree } from '../../git/worktree/remove-worktree.ts';
import { placeAt } from '../../git/worktree/worktree-place.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import type { App } from '../../app/app.ts';
import { type SiteConfig, siteConfig } from './site-config.ts';
import { RepositorySites } from './repository-sites.ts';

/** Where a worker works on runs that name a repository. */
export interface PlacesOptions {
  /** A folder with the same absolute path on each machine: models have seen the paths of their workspace. */
  readonly folder: string;
  /** The repositories that runs may name: addresses, in which `*` stands for a part without slashes, `**` for any. */
  readonly repositories: readonly string[];
  /** The address of the repository that keeps the captures: the `captures` of `Loops`. */
  readonly captures: string;
  /**
   * SHA-256 digests of configuration files. A file at the top of a repository whose content has one of them gives
   * options to the runs there, below those of the worker.
   */
  readonly trusted?: readonly string[];
}

/** The workspaces of runs that name a repository: on whichever machine, they go on with what was captured last. */
export class RunPlaces {
  readonly #sites: RepositorySites;
  readonly #captures: CaptureRemote;
  readonly #allows: (repository: string) => boolean;
  readonly #trusted: ReadonlySet<string>;

  constructor({ folder, repositories, captures, trusted = [] }: PlacesOptions) {
    this.#trusted = new Set(trusted);
    this.#sites = new RepositorySites(folder);
    this.#captures = new CaptureRemote(captures);
    const matches = repositories.map((pattern) => picomatch(pattern, { dot: true, nobrace: true, noextglob: true }));
    this.#allows = (repository) => repositories.includes(repository) || matches.some((match) => match(repository));
  }

  /** Tells whether runs may name this repository. */
  allows(repository: string): boolean {
    return this.#allows(repository);
  }

  /**
   * The options by which a new run works in a worktree of its commit, and those of its configuration file. Throws as
   * `RepositorySites.checkout` and `siteConfig` do.
   */
  async optionsFor(repository: string, commit = 'HEAD'): Promise<PlacedOptions> {
    const hash = await this.#sites.checkout(repository, commit);
    const directory = this.#sites.siteOf(repository, hash);
    const config = await siteConfig(directory, this.#trusted);
    return { place: { directory, isolate: 'worktree', isolateFrom: 'HEAD' }, config };
  }

  /**
   * Brings the repository of a recorded run here, with what was captured of it since it was here last. Returns why the
   * run cannot go on here. Throws an `EnvironmentFault` where a repository cannot be reached.
   */
  async bring({ log }: Pick<App, 'log'>, run: string, repository: string): Promise<string | null> {
    const isolation = (await readSettings(log, run))?.isolation;
    if (isolation?.commit === undefined) return 'it does not work in a worktree of a commit';
    const { origin, commit, top } = isolation;
    const site = this.#sites.siteOf(repository, commit);
    if (site !== origin) return `its workspace is below ${origin}, and that of this worker would be ${site}`;
    await this.#sites.checkout(repository, commit);
    const runs = (await log.tree(run)).map((one) => one.run);
    const isNewer = await this.#captures.fetch(runs, { directory: isolation.repository });
    // What lies there is older than what another machine has made since.
    if (isNewer) await removeWorktree(placeAt(top));
    return null;
  }

  /**
   * Pushes the change of a run as a new branch of its repository. Returns its commit, or why there is none. Throws an
   * `EnvironmentFault` where the repository cannot be reached, or has another branch of this name.
   */
  async deliver(loops: App, run: string, { repository, branch }: Delivery): Promise<Delivered> {
    const isolation = (await readSettings(loops.log, run))?.isolation;
    if (!isolation) return { kind: 'nothing', because: 'it has no worktree' };
    const local = `loopfold/${run}`;
    const made = await loops.branch(run, local);
    const call = { directory: isolation.origin };
    if (made.kind !== 'made' && made.kind !== 'exists')
      return { kind: 'nothing', because: NO_BRANCH[made.kind] ?? made.kind };
    const there = await askRemote(
      `${repository} could not be asked`,
      ['ls-remote', repository, `refs/heads/${branch}`],
      call,
    );
    const here = await askRemote('', ['rev-parse', `refs/heads/${local}`], call);
    const commit = here.trim();
    if (there.startsWith(commit)) return { kind: 'delivered', branch, commit };
    if (there !== '')
      throw new EnvironmentFault(`${repository} has another branch ${branch}`, null, { hasStarted: true });
    const what = `branch ${branch} could not be pushed`;
    const args = [
      'push',
      '--quiet',
      `--force-with-lease=refs/heads/${branch}:`,
      repository,
      `${commit}:refs/heads/${branch}`,
    ];
    await askRemote(what, args, call);
    return { kind: 'delivered', branch, commit };
  }
}

interface PlacedOptions {
  readonly place: Partial<RunOptions>;
  readonly config: SiteConfig;
}

interface Delivery {
  readonly repository: string;
  readonly branch: string;
}

/** The branch that a run has ended as, or why there is none. */
export type Delivered =
  | { readonly kind: 'delivered'; readonly branch: string; readonly commit: string }
  | { readonly kind: 'nothing'; readonly because: string };

const NO_BRANCH: Readonly<Record<string, string>> = {
  nothing: 'it has changed nothing',
  conflict: 'its change does not fit its own commit',
};
