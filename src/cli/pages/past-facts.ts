import type { EventStore } from '../../log/event-store.ts';
import { familyOf } from '../../log/family.ts';
import { runOfEffect } from '../../log/effect-names.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/**
 * The facts of a run, then those of its unfinished child runs: the one that performs the current round, and those that
 * do delegated work.
 */
export async function* pastOf(log: EventStore, run: string, loops: readonly LoopDefinition[]): AsyncIterable<Fact> {
  const settled = new Set<string>();
  for await (const fact of readableFacts(log, run, loops)) {
    if (fact.type === 'child.settled') settled.add(fact.payload.child);
    yield fact;
  }
  const underWay = (await familyOf(log, run)).filter(
    (one) => one.parentEffect !== null && runOfEffect(one.parentEffect) === run && !settled.has(one.run),
  );
  for (const child of underWay) yield* pastOf(log, child.run, loops);
}

/** The facts of an ended run that a continuation shares: all before the decision that ended it. */
export async function* sharedPastOf(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): AsyncIterable<Fact> {
  for await (const fact of readableFacts(log, run, loops)) {
    if (fact.type === 'decision.made' && fact.payload.sink) return;
    yield fact;
  }
}
