import type { EventOf, Remade } from '../../machines/events.ts';
import type { ReachedLimit } from '../../machines/outcome.ts';
import type { Limits, RunSettings, Thread } from '../../machines/settings.ts';
import { PROGRAM } from '../log/program-version.ts';
import { lifeOf } from '../kernel/fold.ts';
import { definitionOf } from '../kernel/loop-definition.ts';
import { endOf, stillReached } from './continuation.ts';
import { assertIntact } from './intact.ts';
import { leftAtWork, noteLeft } from './note-left-work.ts';
import { type NotFolded, rebuild } from './load-run.ts';
import { resumed } from './resume-or-stop.ts';
import { type Held, ownTree, type Live, reopenRun, type RuntimeParts, type Watch } from './own-tree.ts';

/** What a continuation changes. Absent members stay as they were. */
export interface Change {
  readonly limits?: Partial<Limits>;
  readonly attemptLimits?: Partial<Limits>;
  readonly strategy?: RunSettings['strategy'] | undefined;
  readonly detectors?: RunSettings['detectors'];
  /** Beside those that are known already. */
  readonly prices?: RunSettings['prices'];
  /** From what its worktree was made again. */
  readonly remade?: Remade | null;
}

/** A limit that is not above what the run has used would end its continuation at once. */
export interface NotRaised {
  readonly kind: 'not_raised';
  readonly limit: ReachedLimit;
  /** The thread of the run, whose cap only a message raises. Absent: it is in none. */
  readonly thread?: Thread;
}

export type Refused = { readonly kind: 'unknown_run'; readonly run: string } | NotFolded | Held;
export type Extended =
  | { readonly kind: 'live'; readonly live: Live }
  | { readonly kind: 'still_open' }
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'is_child'; readonly root: string }
  | NotRaised
  | Refused;

/** Forks a run just before its ending decision, and runs the fork under the changed limits and strategy. */
export async function extendRun(parts: RuntimeParts, run: string, change: Change, watch?: Watch): Promise<Extended> {
  const { log, loops } = parts;
  const record = await log.run(run);
  if (!record) return { kind: 'unknown_run', run };
  if (record.root !== run) return { kind: 'is_child', root: record.root };
  await assertIntact(log, run);
  const loaded = await rebuild(log, run, undefined, loops);
  if (loaded.kind === 'unknown_machine' || loaded.kind === 'unreadable') return loaded;
  if (loaded.kind !== 'loaded') return { kind: 'unknown_run', run };
  const end = await endOf(log, run, loops);
  if (!end) return { kind: 'still_open' };
  if (end.outcome.ending === 'success') return { kind: 'succeeded' };
  const { state, settings } = loaded;
  const limits = { ...lifeOf(state).limits, ...change.limits };
  const limit = stillReached(end.outcome, lifeOf(state), limits, definitionOf(state.entry.id, loops).rounds);
  if (limit) return { kind: 'not_raised', limit, ...(settings.thread ? { thread: settings.thread } : {}) };
  const to = parts.newRunId();
  const forked = await log.fork({ from: run, at: end.version - 1, to });
  if (forked.kind !== 'forked') throw new Error(`run ${run} cannot be forked at ${end.version - 1}: ${forked.kind}`);
  noteLeft(log, to, leftAtWork(log, run));
  const current = end.continued ?? settings;
  const payload: Omit<EventOf<'run.continued'>['payload'], 'idleMs'> = {
    limits,
    attemptLimits: current.attemptLimits && { ...current.attemptLimits, ...change.attemptLimits },
    strategy: change.strategy ?? current.strategy,
    ...(change.detectors ? { detectors: change.detectors } : {}),
    ...(change.prices ? { prices: change.prices } : {}),
    program: PROGRAM,
    ...(change.remade ? { remade: change.remade } : {}),
  };
  return ownTree(parts, to, watch, (tree) =>
    reopenRun(parts, tree, to, ({ state: { at } }) => {
      const { idleMs } = resumed(at, tree.now()).payload;
      return { event: { type: 'run.continued', payload: { ...payload, idleMs } } };
    }),
  );
}
