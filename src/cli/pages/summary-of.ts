import type { EventStore } from '../../log/event-store.ts';
import { UnreadableError } from '../../log/unreadable.ts';
import { summarise } from '../../projections/read-summary.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { assertIntact } from '../../runtime/intact.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/** The summary of a run that the log lists. Throws an `UnreadableError` if an event cannot be read. */
export async function summaryOf(log: EventStore, run: string, loops: readonly LoopDefinition[]): Promise<RunSummary> {
  await assertIntact(log, run);
  const { summary, unreadable } = await summarise(log, run, loops);
  const [first] = unreadable;
  if (first) throw new UnreadableError(first);
  if (!summary) throw new Error(`the log lists run ${run} and holds none of its events`);
  return summary;
}
