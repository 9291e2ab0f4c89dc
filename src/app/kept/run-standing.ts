import type { Outcome } from '../../../machines/outcome.ts';
import type { EventStore, RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { readPages } from '../../log/reading.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { rebuild } from '../../runtime/load-run.ts';

/**
 * Where a tree of runs stands that its process has left because it waits for a person. `moved`: something was recorded
 * since then, or waits in its inbox. `paused`: it was paused for another reason, and goes on only when it is told to.
 */
export type Standing =
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | { readonly kind: 'waits' | 'moved' | 'paused' };

/** Reads the newest event of each open run of a tree. */
export async function standingOf(log: Log, root: string, loops: readonly LoopDefinition[]): Promise<Standing> {
  const tree = await log.tree(root);
  const top = tree.find(({ run }) => run === root);
  if (!top) return { kind: 'paused' };
  if (top.closed !== null) return endOf(log, root, loops);
  if ((await log.inbox(root)).length > 0) return { kind: 'moved' };
  const left = await Promise.all(tree.filter(({ closed }) => closed === null).map((record) => leftBy(log, record)));
  if (left.includes(null)) return { kind: 'moved' };
  return { kind: left.every((by) => by === 'waiting') ? 'waits' : 'paused' };
}

/** Why a run was paused, if that is the newest thing it has recorded. */
export async function leftBy(log: EventStore, { run, version }: RunRecord): Promise<string | null> {
  for await (const page of readPages(log, run, undefined, { from: version, isWhole: true })) {
    const newest = page.at(-1);
    return newest?.kind === 'event' && newest.event.type === 'run.paused' ? newest.event.payload.by : null;
  }
  return null;
}

async function endOf(log: Log, root: string, loops: readonly LoopDefinition[]): Promise<Standing> {
  const rebuilt = await rebuild(log, root, undefined, loops);
  const outcome = rebuilt.kind === 'loaded' ? lifeOf(rebuilt.state).outcome : null;
  return outcome ? { kind: 'ended', outcome } : { kind: 'paused' };
}
