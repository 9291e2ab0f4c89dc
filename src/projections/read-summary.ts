import type { BareEnvelope, EventStore } from '../log/event-store.ts';
import type { Fact, Unreadable } from '../log/read-event.ts';
import { Reading } from '../log/reading.ts';
import { assertIntact } from '../runtime/intact.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { RunSummary } from './run-summary.ts';
import { SummaryInForce } from './summary-in-force.ts';

/** The readable part of a run's page, and the unreadable events. Without a readable start there is no page. */
export interface Summarised {
  readonly summary: RunSummary | null;
  readonly unreadable: readonly Unreadable[];
}

export interface Summarising {
  /** The events of the run, where the caller reads them. */
  readonly pages?: AsyncIterable<readonly BareEnvelope[]>;
  /** Gets the facts that were read. */
  readonly observe?: (fact: Fact) => void;
}

/** Reads the page of a run, without checking the integrity of the log. */
export async function summarise(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
  { pages = log.pages(run), observe = () => {} }: Summarising = {},
): Promise<Summarised> {
  const reading = new Reading(loops, { isWhole: true });
  const inForce = new SummaryInForce(loops);
  const unreadable: Unreadable[] = [];
  for await (const page of pages) {
    for (const envelope of page) {
      const read = reading.read(envelope);
      inForce.observe(read);
      if (read.kind === 'unreadable') unreadable.push(read);
      else observe(read.event);
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
