import { LogError } from '../log/errors.ts';
import type { Log } from '../log/log.ts';

/** Throws where a run's hash chain is broken: nothing may be built, or shown as proven, on such a log. */
export async function assertIntact(log: Log, run: string): Promise<void> {
  const verified = await log.verify(run);
  if (verified.kind !== 'broken') return;
  throw damaged(run, `its hash chain does not hold at version ${verified.version}: ${verified.reason}`);
}

/** Throws where events are missing between two that were read one after the other. */
export function assertFollows(run: string, before: number, version: number): void {
  if (version !== before + 1) throw damaged(run, `version ${version} follows version ${before}`);
}

const damaged = (run: string, detail: string) =>
  new LogError('damaged', `run ${run}`, detail, 'Restore the log from a copy; nothing was written.');
