import type { RunSettings } from '../../machines/settings.ts';
import type { Log } from '../log/log.ts';
import { factOf } from './fact.ts';

/** What a run was started with, or null where the log has no such run. */
export async function readSettings(log: Log, run: string): Promise<RunSettings | null> {
  for await (const envelope of log.read(run, { from: 1, to: 1 })) {
    const fact = factOf(envelope);
    if (fact.type === 'run.started') return fact.payload.settings;
  }
  return null;
}
