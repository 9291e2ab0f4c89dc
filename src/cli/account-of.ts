import type { Log } from '../log/log.ts';
import { runOfEffect } from '../log/names.ts';
import { Account } from '../projections/account.ts';
import { readableFacts } from '../projections/fact.ts';
import type { RunSummary } from '../projections/run-summary.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';

/** What a run and those below it have used. A child of a continued run may belong to the run before it. */
export async function accountOf(
  log: Log,
  run: string,
  { iterations, handedOver }: Pick<RunSummary, 'iterations' | 'handedOver'>,
  loops: readonly LoopDefinition[],
): Promise<Account> {
  const attempts = iterations.flatMap(({ child }) => (child === null ? [] : [child]));
  const settled = new Set([...attempts, ...handedOver.map(({ child }) => child)]);
  const family = new Set([run]);
  // Whoever opens a run is older than it.
  for (const { run: one, parentEffect } of await log.runs()) {
    const giver = parentEffect === null ? null : runOfEffect(parentEffect);
    if (settled.has(one) || (giver !== null && family.has(giver))) family.add(one);
  }
  const account = new Account(loops);
  for (const one of family) for await (const fact of readableFacts(log, one, loops)) account.observe(fact);
  return account;
}
