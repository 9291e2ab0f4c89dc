import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { LogError, type Log, type StoreFault } from '../log/log.ts';
import type { InboxEntry } from '../log/inbox-store.ts';
import { knownLoop } from '../projections/loop-in-view.ts';
import { commandOf } from '../runtime/command.ts';

const REJECTED = 'The next process that works on its run rejects it: send the command again.';

/**
 * The commands that wait in a log and that no loop takes, by their type or their payload. Left out are those of
 * a tree that cannot be read, which the audit of the store names, and those for a run whose loop is not known here.
 */
export async function commandFaults(log: Log, loops: readonly LoopDefinition[]): Promise<readonly StoreFault[]> {
  const faults: StoreFault[] = [];
  for (const root of await log.waitingTrees()) {
    try {
      for (const entry of await log.inbox(root)) faults.push(...(await faultsOf(log, entry, loops)));
    } catch (error) {
      if (!(error instanceof LogError) || error.kind !== 'damaged') throw error;
    }
  }
  return faults;
}

async function faultsOf(log: Log, entry: InboxEntry, loops: readonly LoopDefinition[]): Promise<readonly StoreFault[]> {
  const reason = commandOf(entry, loops);
  if (typeof reason !== 'string' || !(await isOfKnownLoop(log, entry.run, loops))) return [];
  return [{ place: `inbox, command ${entry.id}`, reason, remedy: REJECTED }];
}

async function isOfKnownLoop(log: Log, run: string, loops: readonly LoopDefinition[]): Promise<boolean> {
  for await (const [first] of log.pages(run, { to: 1 })) {
    const { machine } = Object(first?.payload) as { readonly machine?: unknown };
    return typeof machine === 'string' && knownLoop(machine, loops) !== null;
  }
  return false;
}
