import type { Log } from '../log/log.ts';
import { factOf } from '../projections/fact.ts';
import { type RunSummary, runSummary } from '../projections/run-summary.ts';

/** The page of a run that the log has. */
export async function summaryOf(log: Log, run: string): Promise<RunSummary> {
  let summary: RunSummary | null = null;
  for await (const envelope of log.read(run)) summary = runSummary(summary, factOf(envelope));
  if (!summary) throw new Error(`the log lists run ${run} and holds none of its events`);
  return summary;
}
