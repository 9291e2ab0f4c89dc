import type { InboxEntry } from '../../log/inbox-store.ts';
import { addressees, commandOf, HAS_ENDED, isPause, mostRelevant, refusalText } from '../../runtime/command.ts';
import type { PausedBy } from '../../runtime/run-end.ts';
import type { HostedTree, HostedTreeParts } from './tree-on-host.ts';

/** Gives a command to the run of a tree that takes it, or rejects it. Null: it did; else the pause that it asks for. */
export async function deliverMail(
  { host, journal }: Pick<HostedTreeParts, 'host' | 'journal'>,
  tree: HostedTree,
  entry: InboxEntry,
): Promise<{ readonly pausedBy: PausedBy } | null> {
  const reject = async (reason: string) => {
    await journal.run(`reject ${entry.id}`, () => host.log.reject(entry.id, reason).then(() => true));
    return null;
  };
  const command = commandOf(entry, host.definitions);
  if (typeof command === 'string') return reject(command);
  if (isPause(command)) return { pausedBy: command.payload.by };
  const refused = [];
  for (const { id, scope } of addressees(command, entry.run, tree.members)) {
    const because = await tree.take(id, command, null, entry.id);
    if (because === null) return null;
    refused.push({ because, loop: scope.loop });
  }
  const reported = mostRelevant(command, refused);
  return reject(reported ? refusalText(command, reported) : HAS_ENDED);
}
