import type { RunSettings } from '../../machines/settings.ts';
import type { EventStore } from '../log/event-store.ts';
import { readEvents } from '../log/reading.ts';

/** The settings that a run was started with. Null where the log has no such run, or cannot read its start. */
export async function readSettings(log: EventStore, run: string): Promise<RunSettings | null> {
  for await (const read of readEvents(log, run, undefined, { from: 1, to: 1 })) {
    if (read.kind === 'event' && read.event.type === 'run.started') return read.event.payload.settings;
  }
  return null;
}
