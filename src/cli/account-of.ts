import type { Log } from '../log/log.ts';
import { Account } from '../projections/account.ts';
import { factOf } from '../projections/fact.ts';
import type { RunSummary } from '../projections/run-summary.ts';

/** What a run and its attempts have used. An attempt of a continued run may belong to the run before it. */
export async function accountOf(log: Log, run: string, { iterations }: Pick<RunSummary, 'iterations'>): Promise<Account> {
  const settled = iterations.flatMap(({ child }) => (child === null ? [] : [child]));
  const below = (await log.runs()).filter(({ root, run: one }) => root === run && one !== run).map(({ run: one }) => one);
  const account = new Account();
  for (const one of [run, ...new Set([...settled, ...below])]) {
    for await (const envelope of log.read(one)) account.observe(factOf(envelope));
  }
  return account;
}
