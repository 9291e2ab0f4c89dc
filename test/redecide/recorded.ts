import { factOf } from '../../src/projections/read-summary.ts';
import type { Log } from '../../src/log/log.ts';
import type { Fact } from '../../src/kernel/effect-handlers.ts';

/** All facts of a run, a shared prefix included. */
export async function factsOf(log: Log, run: string): Promise<Fact[]> {
  const facts: Fact[] = [];
  for await (const envelope of log.read(run)) facts.push(factOf(envelope));
  return facts;
}
