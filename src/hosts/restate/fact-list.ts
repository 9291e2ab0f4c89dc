import { canonicalText } from '../../log/canonical-text.ts';
import type { NewEvent } from '../../log/envelope.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { type Commit, commit } from '../../runtime/commit.ts';

/** Where a run of a tree stands in the log. */
export type Standing = Pick<RunRecord, 'run' | 'version' | 'parentEffect' | 'closed'>;

/** `kept`: the facts are in the log, by this attempt or an earlier one. `moved`: other facts are there, as listed. */
export type Kept = { readonly kind: 'kept' } | { readonly kind: 'moved'; readonly tree: readonly Standing[] };

/**
 * Appends facts, once: where an attempt was lost after its append, the next one finds the same facts in their places.
 * Throws where the lease has passed on meanwhile.
 */
export async function keepFacts(log: Log, root: string, asked: Commit): Promise<Kept> {
  const committed = await commit(asked);
  if (committed.kind === 'committed') return { kind: 'kept' };
  const { run, expectedVersion, batch } = asked;
  if (await hasFacts(log, run, expectedVersion + 1, batch.events)) return { kind: 'kept' };
  const record = await log.run(run);
  if ((record?.version ?? 0) === expectedVersion && record?.closed === null) throw new Error(committed.detail);
  return { kind: 'moved', tree: await treeIn(log, root) };
}

export async function treeIn(log: Log, root: string): Promise<readonly Standing[]> {
  return (await log.tree(root)).map(({ run, version, parentEffect, closed }) => ({
    run,
    version,
    parentEffect,
    closed,
  }));
}

async function hasFacts(log: Log, run: string, from: number, events: readonly NewEvent[]): Promise<boolean> {
  const found: string[] = [];
  for await (const page of log.pages(run, { from, to: from + events.length - 1 }))
    found.push(...page.map(({ type, at, payload }) => canonicalText([type, at, payload])));
  return (
    found.length === events.length &&
    events.every(({ type, at, payload }, index) => canonicalText([type, at, payload]) === found[index])
  );
}
