import type { Envelope } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import { factOf } from '../projections/fact.ts';

/** What is on record of a run, and then of the attempt it is in the middle of. */
export async function* pastOf(log: Log, run: string): AsyncIterable<Envelope> {
  const settled = new Set<string>();
  for await (const envelope of log.read(run)) {
    const fact = factOf(envelope);
    if (fact.type === 'child.settled') settled.add(fact.payload.child);
    yield envelope;
  }
  const underWay = (await log.runs()).filter((one) => one.root === run && one.run !== run && !settled.has(one.run));
  for (const attempt of underWay) yield* log.read(attempt.run);
}
