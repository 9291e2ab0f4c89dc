import { LogError, RESTORE } from '../log/log.ts';
import type { BareEnvelope, EventStore, RunRecord, TreeVerified } from '../log/event-store.ts';
import type { Fact } from '../log/read-event.ts';
import { NO_EVENTS } from '../log/verify-tree.ts';

/**
 * Throws where the hash chain of a run, or of one below it, is broken: no run may continue from such a log, and nothing
 * is proven by it.
 */
export async function assertIntact(log: EventStore, run: string): Promise<void> {
  assertHolds(run, await log.verifyTree(run));
}

function assertHolds(run: string, verified: TreeVerified): void {
  if (verified.kind !== 'broken') return;
  const { run: broken, version, reason } = verified;
  const below = broken === run ? '' : ` below run ${run}`;
  throw damaged(`${broken}${below}`, `its hash chain does not hold at version ${version}: ${reason}`);
}

/**
 * A tree of runs that is verified once for what was recorded in it: again where any of its runs has another head since.
 */
export class IntactTree {
  readonly #log: EventStore;
  readonly #root: string;
  #verified: string | null = null;

  constructor(log: EventStore, root: string) {
    this.#log = log;
    this.#root = root;
  }

  /** Throws as `assertIntact` does. */
  async assert(): Promise<void> {
    // Read first: what is recorded during the verification is verified the next time.
    const heads = await this.#heads();
    if (heads === this.#verified) return;
    await assertIntact(this.#log, this.#root);
    this.#verified = heads;
  }

  /**
   * The events of the run at its top. Throws as `assert` does, at the latest after the last of them. A run that is
   * alone in its tree is read and verified at once.
   */
  async *pages(): AsyncGenerator<readonly BareEnvelope[]> {
    const runs = await this.#log.tree(this.#root);
    const opened = await this.#log.openedFrom(this.#root);
    if (runs.length !== 1 || opened.length > 0 || this.#verified !== null) {
      await this.assert();
      return yield* this.#log.pages(this.#root);
    }
    const pages = this.#log.readVerified(this.#root);
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) yield page.value;
    assertHolds(this.#root, page.value.kind === 'broken' ? { ...page.value, run: this.#root } : page.value);
    this.#verified = headsOf(runs);
  }

  async #heads(): Promise<string> {
    // A run that another one has opened is verified again with each head of its whole tree.
    const { root = this.#root } = (await this.#log.run(this.#root)) ?? {};
    return headsOf(await this.#log.tree(root));
  }
}

const headsOf = (runs: readonly RunRecord[]): string =>
  JSON.stringify(runs.map(({ run, version, hash }) => [run, version, hash]));

/** Throws where a run that a log lists has no event. */
export function assertBegun({ run, version }: RunRecord): void {
  if (version === 0) throw damaged(run, NO_EVENTS);
}

/** Throws where events are missing between two that were read one after the other. */
export function assertFollows(run: string, before: number, version: number): void {
  if (version !== before + 1) throw damaged(run, `version ${version} follows version ${before}`);
}

/** The first event of a run. Throws where it is not `run.started`. */
export function startOf(run: string, first: Fact): Fact & { readonly type: 'run.started' } {
  if (first.type === 'run.started') return first;
  throw damaged(run, `it begins with ${first.type}, not with run.started`);
}

const damaged = (run: string, detail: string) => new LogError('damaged', `run ${run}`, detail, RESTORE);
