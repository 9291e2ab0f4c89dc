import type { Log } from '../log/log.ts';
import { runOfEffect } from '../log/names.ts';
import { readableFacts } from '../projections/fact.ts';
import type { Fact } from '../runtime/cast.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';

/** What is on record of a run, and then of the run that performs a round, or does what was handed over, that it is in the middle of. */
export async function* pastOf(log: Log, run: string, loops: readonly LoopDefinition[]): AsyncIterable<Fact> {
  const settled = new Set<string>();
  for await (const fact of readableFacts(log, run, loops)) {
    if (fact.type === 'child.settled') settled.add(fact.payload.child);
    yield fact;
  }
  const underWay = (await log.runs()).filter((one) => one.parentEffect !== null && runOfEffect(one.parentEffect) === run && !settled.has(one.run));
  for (const child of underWay) yield* pastOf(log, child.run, loops);
}
