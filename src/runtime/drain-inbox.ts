import type { EventStore } from '../log/event-store.ts';
import type { InboxEntry, InboxStore } from '../log/inbox-store.ts';
import { addressees, type Command, commandOf, HAS_ENDED, mostRelevant, type NotTaken, refusalText } from './command.ts';
import type { PostResult } from '../kernel/run-message.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { LoopRun } from './loop-run.ts';

/** Posts a command to a run of this process. */
export type PostCommand = (run: LoopRun, command: Command, entry: number) => Promise<PostResult>;

/**
 * Delivers an inbox entry to the run it is for, among those of this process. The entry is settled, or, where that run
 * is open and not in this process at this moment, left for later.
 */
export async function deliverCommand(
  { log, loops }: { readonly log: EventStore & InboxStore; readonly loops: readonly LoopDefinition[] },
  entry: InboxEntry,
  runs: readonly LoopRun[],
  hand: PostCommand,
): Promise<void> {
  const command = commandOf(entry, loops);
  if (typeof command === 'string') return log.reject(entry.id, command);
  const record = await log.run(entry.run);
  if (!record || record.closed !== null) return log.reject(entry.id, HAS_ENDED);
  const refused: NotTaken[] = [];
  for (const run of addressees(command, entry.run, runs)) {
    const result = await hand(run, command, entry.id);
    if (result.kind === 'accepted' || result.because === 'left') return;
    refused.push({ because: result.because, loop: run.loop });
  }
  const reported = mostRelevant(command, refused);
  if (reported) await log.reject(entry.id, refusalText(command, reported));
}
