import type { Log } from '../log/log.ts';
import type { Unreadable } from '../log/read-event.ts';
import { readEvents } from '../log/reading.ts';
import { assertIntact } from '../runtime/intact.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import { type RunSummary, runSummary } from './run-summary.ts';

/** The page of a run as far as it can be read, and what cannot: without its start there is no page. */
export interface Summarised {
  readonly summary: RunSummary | null;
  readonly unreadable: readonly Unreadable[];
}

/** Reads the page of a run. Whether the log is what was written, it does not ask. */
export async function summarise(log: Log, run: string, loops: readonly LoopDefinition[]): Promise<Summarised> {
  let summary: RunSummary | null = null;
  const unreadable: Unreadable[] = [];
  for await (const read of readEvents(log, run, loops, { isWhole: true })) {
    if (read.kind === 'unreadable') unreadable.push(read);
    else summary = runSummary(summary, read.event, loops);
  }
  return { summary, unreadable };
}

/** The page of a run, or null where the log has no such run. Throws a `LogError` where the log is not what was written. */
export async function readSummary(log: Log, run: string, loops: readonly LoopDefinition[]): Promise<RunSummary | null> {
  await assertIntact(log, run);
  return (await summarise(log, run, loops)).summary;
}
