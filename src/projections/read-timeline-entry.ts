import type { EventStore } from '../log/event-store.ts';
import { Reading } from '../log/reading.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { LoopInView } from './loop-in-view.ts';
import { type TimelineEntry, timelineEntry, unreadableEntry } from './timeline.ts';

/** One event of a log in one line, or null where the log has no such event. */
export async function readTimelineEntry(
  log: EventStore,
  { run, version }: Pick<TimelineEntry, 'run' | 'version'>,
  loops: readonly LoopDefinition[],
): Promise<TimelineEntry | null> {
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
