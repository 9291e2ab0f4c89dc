import { setTimeout as sleep } from 'node:timers/promises';
import { filter, switchMap, takeUntil, timer, from as fromPromise } from 'rxjs';
import { thisProcess } from '../../log/holder.ts';
import type { Claimed, Settled } from '../../log/queue-store.ts';
import { renewLease } from '../../runtime/tree-lease.ts';
import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import { beginClaimed } from './claim-run.ts';
import type { KeyBudget } from './key-budget.ts';
import { QueueLook } from './queue-look.ts';
import { type Delivered, type PlacesOptions, RunPlaces } from './run-places.ts';
import { settledBy, settledByFailure } from './settle-run.ts';
import { taskOf, type WorkerRun } from './worker-options.ts';

/** What happens in a worker, for those who watch it. */
export type WorkerNews =
  | { readonly kind: 'begun' | 'resumed'; readonly run: string; readonly live: LiveRun }
  | { readonly kind: 'settled'; readonly run: string; readonly settled: Settled }
  | { readonly kind: 'left_to_others'; readonly run: string; readonly because: string }
  | { readonly kind: 'branch'; readonly run: string; readonly delivered: Delivered }
  | { readonly kind: 'trouble'; readonly because: string };

export interface FleetOptions {
  /** The options that every run has, beside its task, its labels and its caps. */
  readonly run: WorkerRun;
  /** Runs that are worked on at once. Default: 1. */
  readonly concurrency?: number;
  /** How long a run waits for a person before it leaves its worker, in milliseconds. Default: 2,000. */
  readonly leaveAfterMs?: number;
  /** Where it works on runs that name a repository. Absent: it leaves them to other workers. */
  readonly places?: PlacesOptions;
  /** What the runs of one key may spend in a day (UTC). */
  readonly keyBudget?: KeyBudget;
  readonly told?: (news: WorkerNews) => void;
}

const LEAVE_AFTER_MS = 2_000;
/** How long a worker waits after the log could not be used. */
const TROUBLE_PAUSE_MS = 2_000;

/**
 * Works on the runs that were submitted to a log, beside workers of other processes and other machines. A run that
 * waits for a person leaves it, and any worker resumes it once it has its answer. A worker that is lost is
 * succeeded when its leases have expired.
 *
 * @example
 * const worker = new FleetWorker(loops, { run: { agent: 'Coder', checks: ['npm test'], isolate: 'worktree' } });
 * process.once('SIGTERM', () => worker.drain());
 * await worker.work();
 */
export class FleetWorker {
  readonly #loops: App;
  readonly #options: FleetOptions;
  readonly #look: QueueLook;
  readonly #working = new Map<string, Promise<void>>();
  readonly #live = new Map<string, LiveRun>();
  /** Runs that it leaves to workers of another version. */
  readonly #others = new Set<string>();
  readonly #draining = new AbortController();
  readonly #places: RunPlaces | null;

  constructor(loops: App, options: FleetOptions) {
    this.#loops = loops;
    this.#places = options.places ? new RunPlaces(options.places) : null;
    this.#options = options;
    this.#look = new QueueLook(loops.log);
  }

  /** The runs that it works on now. */
  get working(): readonly string[] {
    return [...this.#working.keys()];
  }

  /**
   * Claims and works until it is drained. `untilIdle`: until nothing is due any more, and nothing is at work. Resolves
   * when its last run has left it.
   */
  async work({ untilIdle = false }: { readonly untilIdle?: boolean } = {}): Promise<void> {
    const { signal } = this.#draining;
    while (!signal.aborted) {
      try {
        await this.#look.stir();
        const isIdle = await this.#claimAll();
        if (untilIdle && isIdle) break;
        await Promise.race([this.#look.next(signal), this.#anyLeft()]);
      } catch (error) {
        this.#tell({ kind: 'trouble', because: textOf(error) });
        await sleep(TROUBLE_PAUSE_MS, undefined, { signal }).catch(() => {});
      }
    }
    while (this.#working.size > 0) await Promise.all(this.#working.values());
  }

  /**
   * Claims nothing more. Runs that have not ended after `graceMs` are paused, and are due for other workers at once:
   * without a grace, now.
   */
  async drain(graceMs = 0): Promise<void> {
    this.#draining.abort();
    if (graceMs > 0)
      await Promise.race([Promise.all(this.#working.values()), sleep(graceMs, undefined, { ref: false })]);
    await Promise.all([...this.#live.values()].map((live) => live.pause('signal').catch(() => {})));
  }

  /** Resolves when one of its runs has left: there is room for another. */
  async #anyLeft(): Promise<void> {
    if (this.#working.size === 0) return new Promise(() => {});
    await Promise.race(this.#working.values());
  }

  /** Whether nothing was due, and nothing is at work. */
  async #claimAll(): Promise<boolean> {
    const { concurrency = 1 } = this.#options;
    while (this.#working.size < concurrency && !this.#draining.signal.aborted) {
      const except = [...this.#others, ...this.#working.keys()];
      const claimed = await this.#loops.log.claim({ by: thisProcess(), except });
      if (!claimed) break;
      const { run } = claimed.submission;
      const work = this.#workOn(claimed).catch((error) => this.#tell({ kind: 'trouble', because: textOf(error) }));
      this.#working.set(
        run,
        work.finally(() => this.#working.delete(run)),
      );
    }
    return this.#working.size === 0;
  }

  async #workOn(claimed: Claimed): Promise<void> {
    const { lease, submission } = claimed;
    const { run, tries } = submission;
    // A workspace may take longer to make than a lease lasts.
    const endRenewal = renewLease({ log: this.#loops.log, lease }, () => {});
    const settled = await this.#untilLeft(claimed)
      .then((left) => (left?.standing === 'over' ? this.#deliver(claimed, left) : left))
      .catch((error) => settledByFailure(error, tries));
    endRenewal();
    if (settled && (await this.#loops.log.settle(lease, settled))) this.#tell({ kind: 'settled', run, settled });
  }

  /** Null: its lease has passed on. */
  async #untilLeft(claimed: Claimed): Promise<Settled | null> {
    const { run } = claimed.submission;
    const { run: own, keyBudget = null } = this.#options;
    const begun = await beginClaimed(this.#loops, { own, places: this.#places, keyBudget }, claimed);
    if (begun.kind === 'settled') return begun.settled;
    if (begun.kind === 'left_to_others') {
      const { because } = begun;
      this.#others.add(run);
      this.#tell({ kind: 'left_to_others', run, because });
      return { standing: 'due', inMs: 0, because, hasFailed: false };
    }
    const { live, isNew } = begun;
    this.#live.set(run, live);
    this.#tell({ kind: isNew ? 'begun' : 'resumed', run, live });
    if (begun.left !== null) this.#tell({ kind: 'trouble', because: begun.left });
    this.#letGo(live);
    if (this.#draining.signal.aborted) void live.pause('signal').catch(() => {});
    try {
      const end = await live.done;
      await live.reported;
      return await settledBy(this.#loops.log, run, end, this.#loops.definitions);
    } finally {
      this.#live.delete(run);
    }
  }

  /** The change of a run that has succeeded becomes the branch that its submission names. */
  async #deliver({ submission: { run, task } }: Claimed, over: Settled): Promise<Settled> {
    const { repository, branch } = taskOf(task);
    const isSuccess = (await this.#loops.log.run(run))?.closed === 'success';
    if (!this.#places || repository === undefined || branch === undefined || !isSuccess) return over;
    await this.#places.bring(this.#loops, run, repository);
    const delivered = await this.#places.deliver(this.#loops, run, { repository, branch });
    this.#tell({ kind: 'branch', run, delivered });
    return over;
  }

  /** A run that waits for a person keeps no place in a worker. */
  #letGo(live: LiveRun): void {
    const { leaveAfterMs = LEAVE_AFTER_MS } = this.#options;
    const over = fromPromise(live.done.catch(() => {}));
    const waited = live.waiting.pipe(
      switchMap((isWaiting) => (isWaiting ? timer(leaveAfterMs) : [])),
      filter(() => live.isWaiting()),
      takeUntil(over),
    );
    waited.subscribe({ next: () => void live.pause('waiting').catch(() => {}), error: () => {} });
  }

  #tell(news: WorkerNews): void {
    this.#options.told?.(news);
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
