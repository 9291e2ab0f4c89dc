import { readEvents } from '../../log/reading.ts';
import type { PermittedCalls } from '../../ports/effect-records.ts';
import type { ConversationSource } from './earlier-conversations.ts';

/** The most runs that are read: the newest. */
const MAX_RUNS = 100;

/** For hosts without a log of their own. */
export const nonePermitted: PermittedCalls = async () => [];

/** Reads from a log what people have allowed for good in the tree of a run. */
export const permittedIn =
  ({ log, loops }: ConversationSource): PermittedCalls =>
  async (run) => {
    const root = (await log.run(run))?.root ?? run;
    const found = new Set<string>();
    for (const other of (await log.tree(root)).slice(-MAX_RUNS)) {
      for await (const read of readEvents(log, other.run, loops)) {
        if (read.kind !== 'event' || read.event.type !== 'person.answered') continue;
        for (const name of read.event.payload.permission?.remembers ?? []) found.add(name);
      }
    }
    return [...found];
  };
