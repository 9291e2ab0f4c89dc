import type { BareEnvelope, EventStore } from '../log/event-store.ts';
import type { Fact, Unreadable } from '../log/read-event.ts';
import { Reading, type Loop, readAlone, readPages } from '../log/reading.ts';
import { assertIntact } from '../runtime/intact.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { RunSummary } from './run-summary.ts';
import { SummaryInForce } from './summary-in-force.ts';
import type { Envelope } from '../log/envelope.ts';
import { UnreadableError } from '../log/unreadable.ts';

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

/**
 * Parses an envelope to its event. Throws an `UnreadableError` where this version of the program, or these loops,
 * cannot read it.
 */
export function factOf(envelope: Envelope, loops?: readonly Loop[]): Fact {
  const read = readAlone(envelope, loops);
  if (read.kind === 'unreadable') throw new UnreadableError(read);
  return read.event;
}

/** The readable facts of a run, in order. The caller reports the unreadable ones elsewhere. */
export async function* readableFacts(log: EventStore, run: string, loops?: readonly Loop[]): AsyncGenerator<Fact> {
  for await (const page of factPages(log, run, loops)) yield* page;
}

/** `readableFacts` by pages, for long runs. */
export async function* factPages(
  log: EventStore,
  run: string,
  loops?: readonly Loop[],
): AsyncGenerator<readonly Fact[]> {
  for await (const page of readPages(log, run, loops, { isWhole: true }))
    yield page.flatMap((read) => (read.kind === 'event' ? [read.event] : []));
}
