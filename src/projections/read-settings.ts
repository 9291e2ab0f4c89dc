import type { RunSettings } from '../../machines/settings.ts';
import type { Log } from '../log/log.ts';
import { readEvents } from '../log/reading.ts';

/** What a run was started with, or null where the log has no such run, or none whose start can be read. */
export async function readSettings(log: Log, run: string): Promise<RunSettings | null> {
  for await (const read of readEvents(log, run, undefined, { from: 1, to: 1 })) {
    if (read.kind === 'event' && read.event.type === 'run.started') return read.event.payload.settings;
  }
  return null;
}
