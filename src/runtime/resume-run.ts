import type { Remade } from '../../machines/events.ts';
import type { Outcome } from '../../machines/outcome.ts';
import type { InboxStore } from '../log/inbox-store.ts';
import { hasEnded, lifeOf } from '../kernel/fold.ts';
import { extendRun, type NotRaised, type Refused } from './extend-run.ts';
import { assertIntact } from './intact.ts';
import { lastSignOf } from './last-activity.ts';
import { rebuild } from './load-run.ts';
import { migrateTree, plannedMigrations, type NotMigrated } from './migrate-runs.ts';
import { later, resumed } from './resume-or-stop.ts';
import { type HowLeased, ownTree, type Live, reopenRun, type RuntimeParts, type Watch } from './own-tree.ts';
import type { Tree } from './run-tree.ts';
import { unfoldableBelow } from './unfoldable.ts';

export type Resumed =
  | { readonly kind: 'live'; readonly live: Live }
  | { readonly kind: 'over'; readonly outcome: Outcome }
  | NotMigrated
  | NotRaised
  | Refused;

/** `migrate`: under the newest version of its machine. `remade`: from what its worktree was made again. */
export interface HowResumed extends HowLeased {
  readonly migrate?: boolean;
  readonly remade?: Remade | null;
}

/** Resumes a tree from the end of its log. A run that ended by an error continues as a fork. */
export async function resumeRun(
  parts: RuntimeParts,
  run: string,
  watch?: Watch,
  { migrate = false, remade = null, ...leased }: HowResumed = {},
): Promise<Resumed> {
  const { log, loops, now } = parts;
  const record = await log.run(run);
  if (!record) return { kind: 'unknown_run', run };
  const { root } = record;
  await assertIntact(log, root);
  const loaded = await rebuild(log, root, undefined, loops);
  if (loaded.kind === 'unknown_machine' || loaded.kind === 'unreadable') return loaded;
  if (loaded.kind !== 'loaded') return { kind: 'unknown_run', run };
  const below = await unfoldableBelow(log, root, loaded.state, loops);
  if (below) return below;
  const { outcome } = lifeOf(loaded.state);
  if (hasEnded(loaded.state) && outcome) {
    if (outcome.ending !== 'abort' || outcome.cause !== 'error') return { kind: 'over', outcome };
    if (migrate) return { kind: 'not_migrated', run: root, machine: loaded.state.entry.id, reason: 'it has ended' };
    const extended = await extendRun(parts, root, { remade }, watch);
    if (extended.kind === 'live' || extended.kind === 'held' || extended.kind === 'not_raised') return extended;
    throw new Error(`run ${root} ended by an error and cannot be continued: ${extended.kind}`);
  }
  const unowned = { log, root, machines: loops, now };
  const moves = migrate ? await plannedMigrations(unowned) : null;
  if (moves?.kind === 'not_migrated') return moves;
  const open = async (tree: Tree) => {
    await rejectPauses(log, root);
    const idleSince = await lastSignOf(log, root);
    if (migrate) tree.publish(await migrateTree(unowned, tree.epoch), []);
    return reopenRun(parts, tree, root, (loaded) => ({
      event: resumed(later(idleSince, loaded.idleSince), tree.now(), remade),
    }));
  };
  return ownTree(parts, root, watch, open, leased);
}

/** A pause that was requested while the tree was unowned is already satisfied: nothing ran until now. */
async function rejectPauses(log: InboxStore, root: string): Promise<void> {
  for (const { id, type } of await log.inbox(root)) {
    if (type === 'run.paused') await log.reject(id, 'it was stopped already, and has been resumed since');
  }
}
