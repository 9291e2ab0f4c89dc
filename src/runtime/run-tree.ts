import { setTimeout as delay } from 'node:timers/promises';
import { type Observable, Subject } from 'rxjs';
import type { RunSettings } from '../../machines/settings.ts';
import type { Delta } from '../actors/actor.ts';
import type { Envelope } from '../log/envelope.ts';
import type { RunMessage, PostResult } from '../kernel/run-message.ts';
import { executeChild } from './child-runs.ts';
import type { LoadedRun } from './load-run.ts';
import { LoopRun } from './loop-run.ts';
import type { RunStep, TreeAccess } from './tree-access.ts';
import type { PausedBy } from './run-end.ts';
import { newRun, scopeOf } from './run-scopes.ts';
import { isReleased, releaseTree, renewLease, timed, type TimedParts, type TreeParts } from './tree-lease.ts';
import { TreeInbox } from './tree-inbox.ts';
import { TreeWaiting } from './wait-states.ts';

// A tree is a root run and the runs below it, all under one lease and in one process.
//   begin, reopen    a run enters: a new one, or one that was folded from the log. Its children enter the same way,
//                    when an effect of it is a run of its own (child-runs.ts).
//   publish, delta   facts that are durable, and pieces of output that are never recorded, go to the observers.
//   readInbox        commands that other processes leave in the inbox of the root go to the run they name
//                    (tree-inbox.ts).
//   keepLease        the lease is renewed; when another process has taken it, every run stops and writes nothing more.
//   waiting          whether the whole tree waits for a person (wait-states.ts).
//   leave            after the root has left: waits for the other runs, settles late commands, returns the lease.

/** How long `leave` waits for runs that were told to stop. */
const LEAVE_LIMIT_MS = 10_000;

export interface RunDelta extends Delta {
  readonly run: string;
  readonly effect: string;
}

/** A run and the runs it opened, under one lease, in one process. */
export class Tree implements TreeAccess {
  readonly log: TreeParts['log'];
  readonly epoch: number;
  /** Every fact of the tree, once it is durable. */
  readonly facts = new Subject<Envelope>();
  /** The facts that its runs record themselves, with the state after each. */
  readonly steps = new Subject<RunStep>();
  /** Output of effects that are running. Never logged. */
  readonly deltas = new Subject<RunDelta>();
  readonly #parts: TimedParts;
  readonly #runs = new Map<string, LoopRun>();
  readonly #waiting = new TreeWaiting(this.#runs);
  readonly #inbox: TreeInbox;
  #endRenewal: (() => void) | null = null;
  /** The lease is taken with the first facts. */
  #takesLease: boolean;
  #givenBack: Promise<boolean> | null = null;
  #pausedBy: { readonly by: PausedBy; readonly reason?: string | undefined } = { by: 'signal' };

  constructor(parts: TreeParts, { takesLease = false } = {}) {
    this.#parts = timed(parts);
    this.#takesLease = takesLease;
    this.log = parts.log;
    this.epoch = parts.lease.epoch;
    this.#inbox = new TreeInbox({
      log: parts.log,
      loops: parts.loops,
      root: parts.lease.root,
      runs: this.#runs,
      pause: (by, entry) => this.pause(by, entry),
    });
  }

  /** Opens a new run in this tree. */
  async begin(run: string, asked: RunSettings, parentEffect?: string): Promise<LoopRun> {
    const { scope, state, started } = newRun(run, asked, this.#parts);
    return this.#enter(await LoopRun.begin(scope, state, started, this, parentEffect));
  }

  /** Resumes a run that was loaded from the log. `first`: the fact that says why. */
  async reopen(run: string, loaded: LoadedRun, first: RunMessage): Promise<LoopRun> {
    return this.#enter(await LoopRun.reopen(scopeOf(run, loaded, this.#parts), loaded.state, first, this));
  }

  /** Pauses the whole tree: the root pauses the runs below it. */
  async pause(by: PausedBy, entry?: number, reason?: string): Promise<PostResult> {
    const root = this.#runs.get(this.#parts.lease.root);
    if (!root) return { kind: 'rejected', because: 'left' };
    this.#pausedBy = { by, reason };
    return root.pause(by, entry, reason);
  }

  /** The root pauses, whichever run the fault has struck: its effect stays outstanding. */
  hinder(reason: string): void {
    // An effect may fail before its run has entered.
    setImmediate(() => void this.pause('environment', undefined, reason));
  }

  /** Whether nothing is left to do until a person has answered. */
  get isWaiting(): boolean {
    return this.#waiting.isWaiting;
  }

  /** `isWaiting` now and as it changes. Completes when the tree is left. */
  get waiting(): Observable<boolean> {
    return this.#waiting.changes;
  }

  now(newest?: number): number {
    return this.#parts.now(newest);
  }

  jumped(): number {
    return this.#parts.jumped();
  }

  publish(...[envelopes, states]: Parameters<TreeAccess['publish']>): void {
    for (const envelope of envelopes) this.facts.next(envelope);
    for (const [at, state] of states.entries()) {
      const envelope = envelopes[at];
      if (envelope) this.steps.next({ envelope, state });
    }
    this.#waiting.update();
  }

  delta(run: string, effect: string, delta: Delta): void {
    this.deltas.next({ run, effect, ...delta });
  }

  readonly child: TreeAccess['child'] = (execution, call) => {
    const tree = {
      ...this.#parts,
      pausedBy: () => this.#pausedBy,
      begin: (run: string, settings: RunSettings, parentEffect: string) => this.begin(run, settings, parentEffect),
      reopen: (run: string, loaded: LoadedRun, first: RunMessage) => this.reopen(run, loaded, first),
      remove: (run: string, signal: AbortSignal) => this.#remove(run, signal),
    };
    return executeChild(tree, execution, call);
  };

  readonly append: TreeAccess['append'] = async (request) => {
    const { log, lease } = this.#parts;
    const takes = this.#takesLease;
    const releases = request.closes !== undefined && this.#hasOnly(request.run);
    const appending = log.append({
      ...request,
      ...(takes ? { takesLease: lease.holder } : {}),
      ...(releases ? { releasesLease: true } : {}),
    });
    if (releases) this.#givenBack = appending.then(isReleased, () => false);
    const appended = await appending;
    if (takes && appended.kind === 'fenced')
      throw new Error(`the id ${lease.root} was drawn for a new run, and the log knows it already`);
    if (appended.kind === 'appended') this.#takesLease = false;
    return appended;
  };

  #hasOnly(run: string): boolean {
    return run === this.#parts.lease.root && [...this.#runs.keys()].every((one) => one === run);
  }

  /** Renews the lease until the tree is left, or has given it back. */
  keepLease(): void {
    this.#endRenewal = renewLease(this.#parts, async (epoch) => {
      if (await this.#givenBack) return;
      for (const run of this.#runs.values()) run.lose(`epoch ${epoch} has taken over`);
    });
  }

  /** Reads the inbox until the tree is left. */
  readInbox(): void {
    this.#inbox.start();
  }

  /** Returns the lease. Runs that are still ending do so first, and commands that came too late are answered. */
  async leave(): Promise<void> {
    const last = new AbortController();
    const late = delay(LEAVE_LIMIT_MS, undefined, { signal: last.signal }).catch(() => {});
    const over = Promise.allSettled([...this.#runs.values()].map(({ done }) => done));
    await Promise.race([over, late]).finally(() => last.abort());
    this.#endRenewal?.();
    // Before another tree can have the lease.
    for (const run of this.#runs.values()) run.noteLeft(this.#parts.lease.root);
    await this.#inbox.stop();
    try {
      if (!this.#takesLease && !(await this.#givenBack)) await releaseTree(this.#parts);
    } finally {
      // Observers are completed also where the log can no longer be written.
      this.facts.complete();
      this.steps.complete();
      this.deltas.complete();
      this.#waiting.complete();
    }
  }

  async #remove(id: string, signal: AbortSignal): Promise<boolean> {
    const run = this.#runs.get(id);
    const parent = run?.parent == null ? undefined : this.#runs.get(run.parent);
    this.#runs.delete(id);
    return !run || !parent || parent.inherit(run, signal);
  }

  #enter(run: LoopRun): LoopRun {
    this.#runs.set(run.id, run);
    this.#waiting.update();
    return run;
  }
}
