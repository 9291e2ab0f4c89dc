import type { InboxEntry, Log } from '../log/log.ts';
import { addressees, type Command, commandOf, HAS_ENDED, mostTelling, type NotTaken, refusalWords } from './command.ts';
import type { Verdict } from './mailbox.ts';
import type { LoopDefinition } from './loop-definition.ts';
import type { LoopRun } from './run.ts';

/** How a command reaches a run that this process serves. */
export type Handing = (run: LoopRun, command: Command, entry: number) => Promise<Verdict>;

/**
 * Hands an entry to whom it is meant for among the runs that are served. It is settled, or, where that run is open and not
 * served at this moment, left for later.
 */
export async function handOver(
  { log, loops }: { readonly log: Log; readonly loops: readonly LoopDefinition[] },
  entry: InboxEntry,
  runs: readonly LoopRun[],
  hand: Handing,
): Promise<void> {
  const command = commandOf(entry, loops);
  if (typeof command === 'string') return log.reject(entry.id, command);
  const record = await log.run(entry.run);
  if (!record || record.closed !== null) return log.reject(entry.id, HAS_ENDED);
  const refused: NotTaken[] = [];
  for (const run of addressees(command, entry.run, runs)) {
    const verdict = await hand(run, command, entry.id);
    if (verdict.kind === 'accepted' || verdict.because === 'left') return;
    refused.push({ because: verdict.because, loop: run.loop });
  }
  const told = mostTelling(command, refused);
  if (told) await log.reject(entry.id, refusalWords(command, told));
}
