import type { Observable } from 'rxjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Outcome, ReachedLimit } from '../../machines/outcome.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { Envelope, Json } from '../log/envelope.ts';
import { thisProcess } from '../log/holder.ts';
import type { Holder, InboxEntry, Lease, Log } from '../log/log.ts';
import { PROGRAM } from '../log/program.ts';
import type { Casting } from './casting.ts';
import { hasEnded, lifeOf, type RunState } from './fold.ts';
import { assertIntact } from './intact.ts';
import { type Command, LEFT } from './command.ts';
import { endOf, stillReached } from './continuation.ts';
import { load, type Loadable, type Loaded, type NotFolded, rebuild } from './load.ts';
import { definitionOf, type LoopDefinition } from './loop-definition.ts';
import { moveOn, movesOf, type NotMigrated } from './moving-on.ts';
import { asItIs, type Redact } from './react.ts';
import type { LoopRun, PausedBy, RunEnd } from './run.ts';
import { lastSignOf } from './signs-of-life.ts';
import { resumed } from './taking-up.ts';
import { type RunDelta, Tree } from './tree.ts';
import { unfoldableBelow } from './unfoldable.ts';
import { settleUnserved } from './unserved.ts';

/** How often a command that waits for another process looks whether it was heard. */
const COMMAND_POLL_MS = 50;

export interface SupervisorParts {
  readonly log: Log;
  readonly casting: Casting;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly newRunId?: () => string;
  /** Takes secrets out of whatever is recorded. */
  readonly redact?: Redact;
  /** Whose runs it can serve: every version that open runs need. */
  readonly loops: readonly LoopDefinition[];
}

/** A run that this process serves. */
export interface Live {
  readonly run: string;
  readonly done: Promise<RunEnd>;
  /** Ends the run, also when it has left this process: resolves when somebody has taken it up for that. */
  readonly abort: (reason?: string | null) => Promise<void>;
  /** `waiting`, where the run no longer waits for anybody, does nothing. */
  readonly pause: (by: PausedBy) => Promise<void>;
  /** Whether nothing is left to do, in the run and those below it, until a person has answered. */
  readonly isWaiting: () => boolean;
  /** The same, now and whenever it changes. Completes when the run has ended, or left this process. */
  readonly waiting: Observable<boolean>;
}

/** Sees everything a tree of runs does, from its first event on. */
export type Watch = (facts: Observable<Envelope>, deltas: Observable<RunDelta>) => void;

export type Refused =
  | { readonly kind: 'unknown_run'; readonly run: string }
  | NotFolded
  | { readonly kind: 'held'; readonly run: string; readonly by: Holder; readonly expiresAt: string };
/** A limit that is not above what the run has used would end its continuation at once. */
type NotRaised = { readonly kind: 'not_raised'; readonly limit: ReachedLimit };
export type Resumed =
  | { readonly kind: 'live'; readonly live: Live }
  | { readonly kind: 'over'; readonly outcome: Outcome }
  | NotMigrated
  | NotRaised
  | Refused;
export type Extended =
  | { readonly kind: 'live'; readonly live: Live }
  | { readonly kind: 'still_open' }
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'is_child'; readonly root: string }
  | NotRaised
  | Refused;
export type Sent =
  | { readonly kind: 'delivered'; readonly version: number }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unknown_run'; readonly run: string };

/** What a continuation changes. Whatever is absent stays as it was. */
export interface Change {
  readonly limits?: Partial<Limits>;
  readonly attemptLimits?: Partial<Limits>;
  readonly strategy?: RunSettings['strategy'] | undefined;
  readonly detectors?: RunSettings['detectors'];
  /** Beside those that are known already. */
  readonly prices?: RunSettings['prices'];
}

/** Starts runs, takes them up again, continues them, and passes commands on. */
export class Supervisor {
  readonly log: Log;
  /** Every loop that it can run. */
  readonly loops: readonly LoopDefinition[];
  readonly #casting: Casting;
  readonly #now: () => number;
  readonly #newRunId: () => string;
  readonly #redact: Redact;

  constructor({ log, casting, now = Date.now, newRunId = uuidv7, redact = asItIs, loops }: SupervisorParts) {
    this.log = log;
    this.#casting = casting;
    this.#now = now;
    this.#newRunId = newRunId;
    this.#redact = redact;
    this.loops = loops;
  }

  /** `run` must be new: the log refuses one that exists. */
  async start(settings: RunSettings, watch?: Watch, run = this.#newRunId()): Promise<Live> {
    const led = await this.#lead(run, watch, (tree) => tree.begin(run, settings));
    if (led.kind === 'held') throw new Error(`the new run ${run} is held already`);
    return led.live;
  }

  /**
   * Takes a run up where its log ends. One that ended by an error goes on as a continuation. `migrate`: under the newest
   * version of its machine, with the runs below it.
   */
  async resume(run: string, watch?: Watch, { migrate = false } = {}): Promise<Resumed> {
    const record = await this.log.run(run);
    if (!record) return { kind: 'unknown_run', run };
    const { root } = record;
    await assertIntact(this.log, root);
    const loaded = await this.#rebuild(root);
    if (loaded.kind === 'unknown_machine' || loaded.kind === 'unreadable') return loaded;
    if (loaded.kind !== 'loaded') return { kind: 'unknown_run', run };
    const below = await unfoldableBelow(this.log, root, loaded.state, this.loops);
    if (below) return below;
    const { outcome } = lifeOf(loaded.state);
    if (hasEnded(loaded.state) && outcome) {
      if (outcome.ending !== 'abort' || outcome.cause !== 'error') return { kind: 'over', outcome };
      if (migrate) return { kind: 'not_migrated', run: root, machine: loaded.state.entry.id, reason: 'it has ended' };
      const extended = await this.extend(root, {}, watch);
      if (extended.kind === 'live' || extended.kind === 'held' || extended.kind === 'not_raised') return extended;
      throw new Error(`run ${root} ended by an error and cannot be continued: ${extended.kind}`);
    }
    const standstill = { log: this.log, root, machines: this.loops, now: this.#now };
    const moves = migrate ? await movesOf(standstill) : null;
    if (moves?.kind === 'not_migrated') return moves;
    return this.#lead(root, watch, async (tree) => {
      await this.#forgetPauses(root);
      const idleSince = await lastSignOf(this.log, root);
      if (migrate) tree.publish(await moveOn(standstill, tree.epoch));
      return this.#reopen(tree, root, (loaded) => ({ event: resumed(later(idleSince, loaded.idleSince), this.#now()) }));
    });
  }

  /** Whoever wanted a pause has it: the run stood still until now. */
  async #forgetPauses(root: string): Promise<void> {
    for (const { id, type } of await this.log.inbox(root)) {
      if (type === 'run.paused') await this.log.reject(id, 'it stood still already, and has been resumed since');
    }
  }

  /** A new run that shares everything before the ending of this one, and goes on under other limits. */
  async extend(run: string, change: Change, watch?: Watch): Promise<Extended> {
    const record = await this.log.run(run);
    if (!record) return { kind: 'unknown_run', run };
    if (record.root !== run) return { kind: 'is_child', root: record.root };
    await assertIntact(this.log, run);
    const loaded = await this.#rebuild(run);
    if (loaded.kind === 'unknown_machine' || loaded.kind === 'unreadable') return loaded;
    if (loaded.kind !== 'loaded') return { kind: 'unknown_run', run };
    const end = await endOf(this.log, run, this.loops);
    if (!end) return { kind: 'still_open' };
    if (end.outcome.ending === 'success') return { kind: 'succeeded' };
    const { state, settings } = loaded;
    const limits = { ...lifeOf(state).limits, ...change.limits };
    const limit = stillReached(end.outcome, lifeOf(state), limits, definitionOf(state.entry.id, this.loops).rounds);
    if (limit) return { kind: 'not_raised', limit };
    const to = this.#newRunId();
    const forked = await this.log.fork({ from: run, at: end.version - 1, to });
    if (forked.kind !== 'forked') throw new Error(`run ${run} cannot be forked at ${end.version - 1}: ${forked.kind}`);
    const current = end.continued ?? settings;
    const payload: EventOf<'run.continued'>['payload'] = {
      limits,
      attemptLimits: current.attemptLimits && { ...current.attemptLimits, ...change.attemptLimits },
      strategy: change.strategy ?? current.strategy,
      ...(change.detectors ? { detectors: change.detectors } : {}),
      ...(change.prices ? { prices: change.prices } : {}),
      idleMs: 0,
      program: PROGRAM,
    };
    return this.#lead(to, watch, (tree) =>
      this.#reopen(tree, to, ({ state }) => {
        const { idleMs } = resumed(state.at, this.#now()).payload;
        return { event: { type: 'run.continued', payload: { ...payload, idleMs } } };
      }),
    );
  }

  abort(run: string, reason: string | null = null): Promise<Sent> {
    return this.send(run, { type: 'abort.requested', payload: { cause: 'user', reason } });
  }

  /**
   * Passes a command on, whoever serves the run: through the inbox of its holder, or, where nobody does, by recording it
   * under a lease taken just for that. Only an abort takes the run up, because it has to end.
   */
  async send(run: string, command: Command): Promise<Sent> {
    const record = await this.log.run(run);
    if (!record) return { kind: 'unknown_run', run };
    const payload = this.#redact(command.payload as Json);
    const posted = await this.log.post(run, { type: command.type, payload });
    for (;;) {
      const { status } = (await this.log.entry(posted.id)) ?? posted;
      if (status.kind === 'rejected' && status.reason === LEFT) return this.send(run, command);
      if (status.kind !== 'waiting') return status;
      if (!(await this.#settleMyself(record.root))) await sleep(COMMAND_POLL_MS);
    }
  }

  /** Nobody else may be there to hear a command: then the lease is free, and it is ours to carry out. */
  async #settleMyself(root: string): Promise<boolean> {
    const leased = await this.log.acquire(root, thisProcess());
    if (leased.kind === 'held') return false;
    const { lease } = leased;
    const unserved = { ...this.#parts(), root, epoch: lease.epoch };
    for (;;) {
      const abort = await settleUnserved(unserved);
      if (abort) {
        const { done } = await this.#serve(lease, undefined, (tree) => this.#takeUpToEnd(tree, root, abort));
        await done;
        return true;
      }
      const released = await this.log.release(lease);
      if (released.kind !== 'inbox_waiting') return true;
    }
  }

  #parts() {
    return { log: this.log, casting: this.#casting, redact: this.#redact, now: this.#now, loops: this.loops };
  }

  #rebuild(run: string): Promise<Loaded> {
    return rebuild(this.log, run, undefined, this.loops);
  }

  async #takeUpToEnd(tree: Tree, root: string, { id, payload }: InboxEntry): Promise<LoopRun> {
    await assertIntact(this.log, root);
    const idleSince = await lastSignOf(this.log, root);
    return this.#reopen(tree, root, (loaded) => {
      // It died while it was aborting: taken up, it has its grace again, and hears this command from the inbox.
      if (isAborting(loaded.state)) return { event: resumed(later(idleSince, loaded.idleSince), this.#now()) };
      return { event: { type: 'abort.requested', payload } as EventOf<'abort.requested'>, entry: id };
    });
  }

  async #reopen(tree: Tree, run: string, first: (loaded: LoadedRun) => { event: LoopEvent; entry?: number }): Promise<LoopRun> {
    const loaded = await load(this.log, run, this.#casting, this.loops);
    if (loaded.kind !== 'loaded') throw new Error(`run ${run} cannot be taken up: ${loaded.kind}`);
    return tree.reopen(run, loaded, { ...first(loaded), causation: null });
  }

  async #lead(root: string, watch: Watch | undefined, open: (tree: Tree) => Promise<LoopRun>) {
    const leased = await this.log.acquire(root, thisProcess());
    if (leased.kind === 'held') return { ...leased, run: root };
    return { kind: 'live' as const, live: await this.#serve(leased.lease, watch, open) };
  }

  async #serve(lease: Lease, watch: Watch | undefined, open: (tree: Tree) => Promise<LoopRun>): Promise<Live> {
    const tree = new Tree({ ...this.#parts(), newRunId: this.#newRunId, lease });
    watch?.(tree.facts, tree.deltas);
    tree.keepLease();
    try {
      const run = await open(tree);
      tree.readInbox();
      const live: Live = {
        run: run.id,
        done: run.done.finally(() => tree.leave()),
        abort: async (reason = null) => {
          const verdict = await run.post({ type: 'abort.requested', payload: { cause: 'user', reason } });
          const hasLeft = verdict.kind === 'rejected' && verdict.because === 'left' && run.done.then(() => true, () => false);
          if (await hasLeft) await this.abort(run.id, reason);
        },
        pause: async (by) => {
          if (by !== 'waiting' || tree.isWaiting) await tree.pause(by);
        },
        isWaiting: () => tree.isWaiting,
        waiting: tree.waiting,
      };
      live.done.catch(() => {});
      return live;
    } catch (error) {
      await tree.leave();
      throw error;
    }
  }
}

type LoadedRun = Extract<Loaded<Loadable>, { kind: 'loaded' }>;

const later = (one: string, other: string): string => (one > other ? one : other);

const isAborting = (state: RunState): boolean => Object.values(lifeOf(state).pending).includes('told');
