import type { EventStore } from '../log/event-store.ts';
import type { Unreadable } from '../log/read-event.ts';
import { readPages } from '../log/reading.ts';
import { assertIntact } from '../runtime/intact.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { RunSummary } from './run-summary.ts';
import { SummaryInForce } from './summary-in-force.ts';

/** The readable part of a run's page, and the unreadable events. Without a readable start there is no page. */
export interface Summarised {
  readonly summary: RunSummary | null;
  readonly unreadable: readonly Unreadable[];
}

/** Reads the page of a run, without checking the integrity of the log. */
export async function summarise(log: EventStore, run: string, loops: readonly LoopDefinition[]): Promise<Summarised> {
  const inForce = new SummaryInForce(loops);
  const unreadable: Unreadable[] = [];
  for await (const page of readPages(log, run, loops, { isWhole: true })) {
    for (const read of page) {
      inForce.observe(read);
      if (read.kind === 'unreadable') unreadable.push(read);
    }
  }
  return { summary: inForce.summary, unreadable };
}

/**
 * The page of a run, or null where the log has no such run. Throws a `LogError` where the log is damaged or was
 * altered.
 */
export async function readSummary(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<RunSummary | null> {
  await assertIntact(log, run);
  return (await summarise(log, run, loops)).summary;
}
