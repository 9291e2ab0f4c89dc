import type { Log } from '../log/log.ts';
import { assertIntact } from '../runtime/intact.ts';
import { factOf } from './fact.ts';
import { type RunSummary, runSummary } from './run-summary.ts';

/** The page of a run, or null where the log has no such run. Throws a `LogError` where the log is not what was written. */
export async function readSummary(log: Log, run: string): Promise<RunSummary | null> {
  await assertIntact(log, run);
  let summary: RunSummary | null = null;
  for await (const envelope of log.read(run)) summary = runSummary(summary, factOf(envelope));
  return summary;
}
