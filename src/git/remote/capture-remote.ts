import { git, type GitCall } from '../process/git.ts';
import { loggedAt, refsBelow } from '../run-refs.ts';
import { askRemote } from './ask-remote.ts';

/** Refs of the repository of captures, while they are compared with those that are here. */
const ELSEWHERE = 'refs/loopfold-elsewhere';

/** A repository that keeps the captures of runs, so that another machine can go on from them. */
export class CaptureRemote {
  readonly #address: string;

  /** `address`: as git takes it, without a password (`RemoteAddress`). */
  constructor(address: string) {
    this.#address = address;
  }

  /** Makes the refs of a run there what they are here. Throws an `EnvironmentFault` where that is refused. */
  async push(run: string, call: GitCall): Promise<void> {
    const refs = `refs/loopfold/${run}/*`;
    const what = `the captures of run ${run} could not be pushed, and it waits until they can be`;
    await askRemote(what, ['push', '--quiet', '--prune', this.#address, `+${refs}:${refs}`], call);
  }

  /**
   * Makes the refs of runs here what they are there, where another machine has captured them since. False: what is
   * here is as new. Throws an `EnvironmentFault` where the repository cannot be reached.
   */
  async fetch(runs: readonly string[], call: GitCall): Promise<boolean> {
    const wanted = runs.map((run) => `+refs/loopfold/${run}/*:${ELSEWHERE}/${run}/*`);
    const args = ['fetch', '--quiet', '--no-tags', '--prune', '--no-write-fetch-head', this.#address, ...wanted];
    await askRemote('captures could not be fetched', args, call);
    let isNewer = false;
    for (const run of runs) isNewer = (await this.#take(run, call)) || isNewer;
    return isNewer;
  }

  async #take(run: string, call: GitCall): Promise<boolean> {
    const [from, to] = [`${ELSEWHERE}/${run}/`, `refs/loopfold/${run}/`];
    const [there, here] = [await refsBelow(from, call), await refsBelow(to, call)];
    const [written, known] = [await loggedAt(`${from}log`, call), await loggedAt(`${to}log`, call)];
    const isNewer = isAhead(there, here) || (written ?? 0) > (known ?? 0);
    const gone = [...here.keys()].filter((name) => !there.has(name));
    const lines = [
      ...(isNewer ? gone.map((name) => `delete ${to}${name}`) : []),
      ...(isNewer ? [...there].map(([name, hash]) => `update ${to}${name} ${hash}`) : []),
      ...[...there.keys()].map((name) => `delete ${from}${name}`),
    ];
    const input = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    if (lines.length > 0) await git(['update-ref', '--stdin'], { ...call, input });
    return isNewer;
  }
}

/** A numbered capture of there is another one here, or none. What was captured here alone is no reason to go back. */
const isAhead = (there: ReadonlyMap<string, string>, here: ReadonlyMap<string, string>): boolean =>
  [...there].some(([name, hash]) => /^\d+$/.test(name) && here.get(name) !== hash);
