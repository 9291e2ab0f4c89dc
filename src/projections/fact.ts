import type { Envelope } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import type { Fact } from '../log/read-event.ts';
import { type Loop, readAlone, readPages } from '../log/reading.ts';
import { UnreadableError } from '../log/unreadable.ts';

/**
 * Parses an envelope to its event. Throws an `UnreadableError` where this version of the program, or these loops,
 * cannot read it.
 */
export function factOf(envelope: Envelope, loops?: readonly Loop[]): Fact {
  const read = readAlone(envelope, loops);
  if (read.kind === 'unreadable') throw new UnreadableError(read);
  return read.event;
}

/** The readable facts of a run, in order. The caller reports the unreadable ones elsewhere. */
export async function* readableFacts(log: EventStore, run: string, loops?: readonly Loop[]): AsyncGenerator<Fact> {
  for await (const page of factPages(log, run, loops)) yield* page;
}

/** `readableFacts` by pages, for long runs. */
export async function* factPages(
  log: EventStore,
  run: string,
  loops?: readonly Loop[],
): AsyncGenerator<readonly Fact[]> {
  for await (const page of readPages(log, run, loops, { isWhole: true }))
    yield page.flatMap((read) => (read.kind === 'event' ? [read.event] : []));
}
