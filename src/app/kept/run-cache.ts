import type { Outcome } from '../../../machines/outcome.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import type { Resumed } from '../../runtime/resume-run.ts';
import type { LiveRun, WithLiveRun } from '../running/live-runs.ts';
import type { App } from '../app.ts';
import { standingOf } from './run-standing.ts';

/** A run that this process keeps going until it ends. */
export interface KeptRun {
  readonly run: string;
  readonly done: Promise<KeptEnd>;
}

/**
 * `paused`: a person, a signal or the environment has paused it, and it goes on only when it is resumed.
 * `not_resumed`: an answer came, and this program cannot go on with the run.
 */
export type KeptEnd =
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | { readonly kind: 'paused' }
  | { readonly kind: 'not_resumed'; readonly because: string };

export interface Keeping {
  /** How long a run waits for a person before it leaves memory, in milliseconds. Default: 60,000. */
  readonly leaveAfterMs?: number;
  /** Told why a run that has its answer cannot go on yet. It is tried again. */
  readonly warn?: (message: string) => void;
}

const LEAVE_AFTER_MS = 60_000;
/** How often it looks for what has changed: one look for all runs. */
const LOOK_MS = 250;
/** When a run that is held by another process, or cannot be resumed yet, is tried again. */
const RETRY_MS = 5_000;
/** Runs that leave, or come back, at once. */
const MOVES_AT_ONCE = 50;
/** Runs that have just left and are looked at in one round. */
const LOOKS_AT_ONCE = 500;

interface Kept {
  readonly run: string;
  readonly over: PromiseWithResolvers<KeptEnd>;
  live: LiveRun | null;
  waitingSince: number | null;
  /** Its answer was recorded while it left: it waits no longer, though its newest fact says so. */
  isAnswered: boolean;
}

/**
 * Keeps runs going in this process, however long they wait for people. A run that has waited for a while leaves the
 * process as one that is paused by `waiting`: its lease is returned, and its name is all that stays in memory. Its
 * answer, from any process, brings it back. One look at the log serves all of them.
 *
 * @example
 * const kept = new KeptRuns(loops);
 * const { done } = kept.keep(await loops.start({ prompt: 'Ask me which.', loop: 'turn', tools: ['ask_user'] }));
 * await loops.answer(run, { text: 'the first' }); // an hour later
 * const end = await done;
 */
export class KeptRuns {
  readonly #loops: App;
  readonly #leaveAfterMs: number;
  readonly #warn: (message: string) => void;
  readonly #here = new Set<Kept>();
  readonly #away = new Map<string, Kept>();
  /** Runs that are away and may have to come back, with the time before which they are not tried. */
  readonly #due = new Map<string, number>();
  /** Runs that have just left: their answers may have come meanwhile. */
  readonly #unseen = new Set<string>();
  readonly #moving = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #position: number | null = null;

  constructor(loops: App, { leaveAfterMs = LEAVE_AFTER_MS, warn = () => {} }: Keeping = {}) {
    this.#loops = loops;
    this.#leaveAfterMs = leaveAfterMs;
    this.#warn = warn;
  }

  /** How many of them are in memory, and how many are not. */
  get size(): { readonly here: number; readonly away: number } {
    return { here: this.#here.size, away: this.#away.size };
  }

  /** Keeps a live run. Keep no other reference to it: what it holds would stay in memory. */
  keep(live: LiveRun): KeptRun {
    const kept = keptOf(live.run);
    this.#enter(kept, live);
    return { run: kept.run, done: kept.over.promise };
  }

  /** Keeps a run that has left a process because it waits, as after a crash. It is not loaded before its answer. */
  keepWaiting(run: string): KeptRun {
    const kept = this.#away.get(run) ?? keptOf(run);
    this.#leaveTo(kept);
    return { run, done: kept.over.promise };
  }

  /** Looks after them no longer. Those that are in memory go on, and those that wait can be resumed. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #enter(kept: Kept, live: LiveRun): void {
    kept.live = live;
    kept.waitingSince = null;
    kept.isAnswered = false;
    this.#here.add(kept);
    this.#forget(kept);
    live.done.then(
      (end) => this.#left(kept, end),
      (error) => this.#end(kept, { kind: 'not_resumed', because: textOf(error) }),
    );
    this.#start();
  }

  #left(kept: Kept, end: RunEnd): void {
    if (end.kind === 'ended') return this.#end(kept, { kind: 'ended', outcome: end.outcome });
    // The log says what has paused it.
    this.#leaveTo(kept);
  }

  /** From here on a name, a promise and its place in two lists are all that is kept of it. */
  #leaveTo(kept: Kept): void {
    kept.live = null;
    this.#here.delete(kept);
    this.#away.set(kept.run, kept);
    this.#unseen.add(kept.run);
    this.#start();
  }

  #end(kept: Kept, end: KeptEnd): void {
    this.#here.delete(kept);
    this.#forget(kept);
    kept.over.resolve(end);
    if (this.#here.size + this.#away.size === 0) this.stop();
  }

  #forget({ run }: Kept): void {
    this.#away.delete(run);
    this.#due.delete(run);
    this.#unseen.delete(run);
  }

  #start(): void {
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
  }

  /** A look that fails is repeated by the next. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      this.#letGo(performance.now());
      if (this.#away.size > 0) await this.#find();
      else this.#position = null;
      for (const [run, notBefore] of this.#due) {
        if (this.#moving.size >= MOVES_AT_ONCE) break;
        const kept = this.#away.get(run);
        if (kept && notBefore <= performance.now()) this.#move(kept, () => this.#comeBack(kept));
      }
      await this.#lookAtNew();
    } catch (error) {
      this.#warn(textOf(error));
    } finally {
      this.#isLooking = false;
    }
  }

  #letGo(now: number): void {
    for (const kept of this.#here) {
      const { live } = kept;
      if (!live || this.#moving.has(kept.run)) continue;
      kept.waitingSince = live.isWaiting() ? (kept.waitingSince ?? now) : null;
      const hasWaited = kept.waitingSince !== null && now - kept.waitingSince >= this.#leaveAfterMs;
      if (!hasWaited || this.#moving.size >= MOVES_AT_ONCE) continue;
      this.#move(kept, async () => {
        await live.pause('waiting');
        kept.isAnswered = !live.isWaiting();
        kept.waitingSince = null;
      });
    }
  }

  async #find(): Promise<void> {
    const { log } = this.#loops;
    const { position, trees } = await log.changes(this.#position);
    this.#position = position;
    for (const root of [...trees, ...(await log.waitingTrees())])
      if (this.#away.has(root) && !this.#due.has(root)) this.#due.set(root, 0);
  }

  async #lookAtNew(): Promise<void> {
    const { log, definitions } = this.#loops;
    for (const run of [...this.#unseen].slice(0, LOOKS_AT_ONCE)) {
      this.#unseen.delete(run);
      // One that cannot be read is told of when it is tried.
      const standing = await standingOf(log, run, definitions).catch(() => null);
      const kept = this.#away.get(run);
      const mayGoOn = standing?.kind !== 'waits' || kept?.isAnswered;
      if (kept && mayGoOn && !this.#due.has(run)) this.#due.set(run, 0);
    }
  }

  #move(kept: Kept, work: () => Promise<void>): void {
    if (this.#moving.has(kept.run)) return;
    this.#moving.add(kept.run);
    void work()
      .catch((error) => this.#tryLater(kept, textOf(error)))
      .finally(() => this.#moving.delete(kept.run));
  }

  async #comeBack(kept: Kept): Promise<void> {
    const { log, definitions } = this.#loops;
    // Before it is read: what is recorded while it is read makes it due again.
    this.#due.delete(kept.run);
    const standing = await standingOf(log, kept.run, definitions);
    if (standing.kind === 'waits' && !kept.isAnswered) return;
    if (standing.kind === 'ended') this.#end(kept, standing);
    else if (standing.kind === 'paused' && !kept.isAnswered) this.#end(kept, { kind: 'paused' });
    else if (await log.holder(kept.run)) this.#tryLater(kept, null);
    else this.#resumed(kept, await this.#loops.resume(kept.run));
  }

  #resumed(kept: Kept, resumed: WithLiveRun<Resumed>): void {
    if (resumed.kind === 'live') this.#enter(kept, resumed.live);
    else if (resumed.kind === 'over') this.#end(kept, { kind: 'ended', outcome: resumed.outcome });
    else if (resumed.kind === 'held') this.#tryLater(kept, null);
    else this.#end(kept, { kind: 'not_resumed', because: resumed.kind });
  }

  #tryLater(kept: Kept, because: string | null): void {
    if (because !== null) this.#warn(`run ${kept.run} has its answer and cannot go on yet: ${because}`);
    if (this.#away.has(kept.run)) this.#due.set(kept.run, performance.now() + RETRY_MS);
  }
}

const keptOf = (run: string): Kept => ({
  run,
  over: Promise.withResolvers<KeptEnd>(),
  live: null,
  waitingSince: null,
  isAnswered: false,
});

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
