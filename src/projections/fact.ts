import type { Envelope } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import type { Fact } from '../log/read-event.ts';
import { type Loop, readAlone, readEvents } from '../log/reading.ts';
import { UnreadableError } from '../log/unreadable.ts';

/** An envelope as the event that it is. Throws an `UnreadableError` where this version of the program, or these loops, cannot read it. */
export function factOf(envelope: Envelope, loops?: readonly Loop[]): Fact {
  const read = readAlone(envelope, loops);
  if (read.kind === 'unreadable') throw new UnreadableError(read);
  return read.event;
}

/** What can be read of a run, in order: for a page that says elsewhere what cannot. */
export async function* readableFacts(log: Log, run: string, loops?: readonly Loop[]): AsyncGenerator<Fact> {
  for await (const read of readEvents(log, run, loops, { isWhole: true })) if (read.kind === 'event') yield read.event;
}
