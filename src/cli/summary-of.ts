import type { Log } from '../log/log.ts';
import { readSummary } from '../projections/read-summary.ts';
import type { RunSummary } from '../projections/run-summary.ts';

/** The page of a run that the log lists. */
export async function summaryOf(log: Log, run: string): Promise<RunSummary> {
  const summary = await readSummary(log, run);
  if (!summary) throw new Error(`the log lists run ${run} and holds none of its events`);
  return summary;
}
