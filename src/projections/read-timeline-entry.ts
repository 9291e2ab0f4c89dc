import type { EventStore } from '../log/event-store.ts';
import type { ReadEvent } from '../log/read-event.ts';
import { Reading } from '../log/reading.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { knownLoop, LoopInView } from './loop-in-view.ts';
import { type TimelineEntry, timelineEntry, unreadableEntry } from './timeline.ts';

/**
 * One event of a log in one line, or null where the log has no such event. `machine`: the one that folds all of the
 * run, where that is known; its events before that one are then not read.
 */
export async function readTimelineEntry(
  log: EventStore,
  { run, version }: Pick<TimelineEntry, 'run' | 'version'>,
  loops: readonly LoopDefinition[],
  machine: string | null = null,
): Promise<TimelineEntry | null> {
  if (machine !== null) {
    const alone = await readAt(log, { run, version }, new Reading(loops, { machine }));
    if (alone === null) return null;
    // What is needed to read it depends on who wrote it, which events before it tell.
    if (alone.kind === 'event') return timelineEntry(alone.event, knownLoop(machine, loops));
  }
  const reading = new Reading(loops);
  const inView = new LoopInView(loops);
  for await (const page of log.pages(run, { to: version })) {
    for (const envelope of page) {
      const read = reading.read(envelope);
      const loop = read.kind === 'event' ? inView.observe(read.event) : null;
      if (envelope.version < version) continue;
      return read.kind === 'event' ? timelineEntry(read.event, loop) : unreadableEntry(read, envelope.payload);
    }
  }
  return null;
}

async function readAt(
  log: EventStore,
  { run, version }: Pick<TimelineEntry, 'run' | 'version'>,
  reading: Reading,
): Promise<ReadEvent | null> {
  for await (const page of log.pages(run, { from: version, to: version }))
    for (const envelope of page) return reading.read(envelope);
  return null;
}
