import type { Observable } from 'rxjs';
import type { Envelope } from '../log/envelope.ts';
import { thisProcess } from '../log/holder.ts';
import { FIRST_EPOCH, type Holder, type Lease } from '../log/lease-store.ts';
import type { RunMessage } from '../kernel/run-message.ts';
import { load, type LoadedRun } from './load-run.ts';
import type { LoopRun } from './loop-run.ts';
import type { PausedBy, RunEnd } from './run-end.ts';
import { type RunDelta, Tree } from './run-tree.ts';
import type { RunStep } from './tree-access.ts';
import { type EndHolder, takeLease } from './take-lease.ts';
import type { TreeParts } from './tree-lease.ts';

/** A live run of this process. */
export interface Live {
  readonly run: string;
  readonly done: Promise<RunEnd>;
  /** Ends the run, also after it has left this process: then it resolves once a process has resumed it to abort it. */
  readonly abort: (reason?: string | null) => Promise<void>;
  /** By `waiting`: does nothing where the run no longer waits for a person. */
  readonly pause: (by: PausedBy) => Promise<void>;
  /** Whether nothing is left to do, in the run and those below it, until a person has answered. */
  readonly isWaiting: () => boolean;
  /** `isWaiting` now and whenever it changes. Completes when the run has ended or left this process. */
  readonly waiting: Observable<boolean>;
}

/** Subscribes to everything a tree of runs does, from its first event on. */
export type Watch = (facts: Observable<Envelope>, deltas: Observable<RunDelta>, steps: Observable<RunStep>) => void;

/** What it takes to run loops in this process. */
export interface RuntimeParts extends Omit<TreeParts, 'lease'> {
  readonly endHolder: EndHolder;
  /** Aborts a run that another process owns, or none. */
  readonly abort: (run: string, reason: string | null) => Promise<unknown>;
}

/** Another process holds the lease of the tree. */
export interface Held {
  readonly kind: 'held';
  readonly run: string;
  readonly by: Holder;
  readonly expiresAt: string;
  /** Why it cannot be ended, where its lease has expired: a person has to look. */
  readonly because?: string;
}

type Open = (tree: Tree) => Promise<LoopRun>;

/** The way in which a process comes by the lease of a tree. */
export interface HowLeased {
  /** A person has made sure that the process which held it last is gone, where this one cannot tell. */
  readonly takeOver?: boolean;
  /** This process holds it already, and what held it before is fenced. */
  readonly lease?: Lease;
}

/** Takes the lease of a tree and runs it; or says which process holds the lease. */
export async function ownTree(
  parts: RuntimeParts,
  root: string,
  watch: Watch | undefined,
  open: Open,
  { takeOver = false, lease }: HowLeased = {},
): Promise<{ readonly kind: 'live'; readonly live: Live } | Held> {
  if (lease) return { kind: 'live', live: await runTree(parts, lease, watch, open) };
  const leased = await takeLease(parts, root, takeOver);
  if (leased.kind === 'held') return { ...leased, run: root };
  return { kind: 'live', live: await runTree(parts, leased.lease, watch, open) };
}

/**
 * Begins a tree under an id that was drawn for it. No other process can have its lease: it is taken in one
 * transaction with the first facts.
 */
export async function beginTree(
  parts: RuntimeParts,
  root: string,
  watch: Watch | undefined,
  open: Open,
): Promise<Live> {
  const lease = { root, epoch: FIRST_EPOCH, holder: thisProcess() };
  return liveIn(new Tree({ ...parts, lease }, { takesLease: true }), parts, watch, open);
}

/** Runs a tree under a lease until its root has ended or left this process. */
export async function runTree(parts: RuntimeParts, lease: Lease, watch: Watch | undefined, open: Open): Promise<Live> {
  return liveIn(new Tree({ ...parts, lease }), parts, watch, open);
}

async function liveIn(tree: Tree, parts: RuntimeParts, watch: Watch | undefined, open: Open): Promise<Live> {
  watch?.(tree.facts, tree.deltas, tree.steps);
  tree.keepLease();
  try {
    const run = await open(tree);
    tree.readInbox();
    const live: Live = {
      run: run.id,
      done: run.done.finally(() => tree.leave()),
      abort: (reason = null) => abortLive(run, reason, parts),
      pause: async (by) => {
        if (by !== 'waiting' || tree.isWaiting) await tree.pause(by);
      },
      isWaiting: () => tree.isWaiting,
      waiting: tree.waiting,
    };
    // Callers that await `done` get the rejection; without one, it is not unhandled.
    live.done.catch(() => {});
    return live;
  } catch (error) {
    await tree.leave();
    throw error;
  }
}

async function abortLive(run: LoopRun, reason: string | null, { abort }: RuntimeParts): Promise<void> {
  const result = await run.post({ type: 'abort.requested', payload: { cause: 'user', reason } });
  if (result.kind !== 'rejected' || result.because !== 'left') return;
  const hasLeft = await run.done.then(
    () => true,
    () => false,
  );
  if (hasLeft) await abort(run.id, reason);
}

/** Reopens a run of a tree with the first fact that this process records about it. */
export async function reopenRun(
  { log, makeHandlers, loops }: RuntimeParts,
  tree: Tree,
  run: string,
  first: (loaded: LoadedRun) => Pick<RunMessage, 'event' | 'entry'>,
): Promise<LoopRun> {
  const loaded = await load(log, run, makeHandlers, loops);
  if (loaded.kind !== 'loaded') throw new Error(`run ${run} cannot be resumed: ${loaded.kind}`);
  return tree.reopen(run, loaded, { ...first(loaded), causation: null });
}
