import { markedRuns } from '../../actors/command-mark.ts';
import { MAX_PROCESSES_ABOVE, processesAbove } from '../../actors/processes-above.ts';
import type { EventStore } from '../../log/event-store.ts';
import { thisProcess } from '../../log/holder.ts';
import type { LeaseStore } from '../../log/lease-store.ts';
import { type Enclosing, InsideRunError } from './inside-run-error.ts';
import { decides } from './verb-kinds.ts';

type Runs = Pick<EventStore, 'run' | 'runs'> & Pick<LeaseStore, 'holder'>;

/** Throws an `InsideRunError` where a run calls a verb that records a decision of a person in the log of that run. */
export async function assertNoRun(log: Runs, { verb, flags }: { verb: string; flags: object }): Promise<void> {
  const enclosing = decides(verb, flags) ? await enclosingRun(log) : null;
  if (enclosing) throw new InsideRunError(verb, enclosing);
}

/** The run of this log that has started this process, directly or not. Null: none can be found. */
export async function enclosingRun(log: Runs, most = MAX_PROCESSES_ABOVE): Promise<Enclosing | null> {
  const { processes, isCut } = await processesAbove(most);
  for (const { pid, mark } of processes) {
    for (const run of markedRuns(mark)) {
      if (await log.run(run)) return { run, because: `${nameOf(pid)} belongs to a command of run ${run}` };
    }
  }
  if (isCut) return { run: null, because: `there are more than ${most} processes above it` };
  return belowOwner(log, new Set(processes.map(({ pid }) => pid)));
}

/** A shell that ends with `exec env -i` leaves no process with a mark, but it is a child of the one that works. */
async function belowOwner(log: Runs, above: ReadonlySet<number>): Promise<Enclosing | null> {
  const open = (await log.runs()).filter(({ parentEffect, closed }) => parentEffect === null && closed === null);
  for (const { run } of open) {
    const owner = await log.holder(run);
    const isAbove = owner?.host === thisProcess().host && owner.pid !== process.pid && above.has(owner.pid);
    if (isAbove)
      return { run, because: `it was started by process ${owner.pid}, which works on run ${run}, or below it` };
  }
  return null;
}

/** Whether this process belongs to a command of any run, in whichever log. */
export async function isInsideCommand(): Promise<boolean> {
  const { processes, isCut } = await processesAbove();
  return isCut || processes.some(({ mark }) => mark !== '');
}

const nameOf = (pid: number): string => (pid === process.pid ? 'this process' : `process ${pid}, above this one,`);
