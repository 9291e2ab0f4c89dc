import type { Envelope } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import { runOfEffect } from '../log/names.ts';
import { Reading } from '../log/reading.ts';

/** What is on record of a run, and then of the attempt, or of the work handed over, that it is in the middle of. */
export async function* pastOf(log: Log, run: string): AsyncIterable<Envelope> {
  const settled = new Set<string>();
  const reading = new Reading();
  for await (const envelope of log.read(run)) {
    const read = reading.read(envelope);
    if (read.kind === 'event' && read.event.type === 'child.settled') settled.add(read.event.payload.child);
    yield envelope;
  }
  const underWay = (await log.runs()).filter((one) => one.parentEffect !== null && runOfEffect(one.parentEffect) === run && !settled.has(one.run));
  for (const child of underWay) yield* pastOf(log, child.run);
}
