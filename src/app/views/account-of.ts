import type { EventStore } from '../../log/event-store.ts';
import { familyOf } from '../../log/family.ts';
import { runOfEffect } from '../../log/effect-names.ts';
import { Account } from '../../projections/run-account.ts';
import { factPages, type Summarised, summarise } from '../../projections/read-summary.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/** The page of a run, with an account of its own facts: it is read once for both. */
export async function summariseWithAccount(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<Summarised & { readonly account: Account }> {
  const account = new Account(loops);
  const summarised = await summarise(log, run, loops, { observe: (fact) => account.observe(fact) });
  return { ...summarised, account };
}

type Family = Pick<RunSummary, 'iterations' | 'handedOver'>;

/** The account of a run and the runs below it. A child of a continuation may belong to the run before it. */
export async function accountOf(
  log: EventStore,
  run: string,
  summary: Family,
  loops: readonly LoopDefinition[],
): Promise<Account> {
  const account = new Account(loops);
  for await (const page of factPages(log, run, loops)) for (const fact of page) account.observe(fact);
  return accountBelow(log, run, summary, loops, account);
}

/** The same, of which the run's own facts are in the account. */
export async function accountBelow(
  log: EventStore,
  run: string,
  { iterations, handedOver }: Family,
  loops: readonly LoopDefinition[],
  account: Account,
): Promise<Account> {
  const attempts = iterations.flatMap(({ child }) => (child === null ? [] : [child]));
  const settled = new Set([...attempts, ...handedOver.map(({ child }) => child)]);
  const family = new Set([run]);
  // A parent is older than its children.
  for (const { run: one, parentEffect } of await familyOf(log, run)) {
    const giver = parentEffect === null ? null : runOfEffect(parentEffect);
    if (settled.has(one) || (giver !== null && family.has(giver))) family.add(one);
  }
  family.delete(run);
  for (const one of family)
    for await (const page of factPages(log, one, loops)) for (const fact of page) account.observe(fact);
  return account;
}
