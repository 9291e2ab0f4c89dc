import { markedRuns } from '../../actors/command-mark.ts';
import { MAX_PROCESSES_ABOVE, processesAbove } from '../../actors/processes-above.ts';
import type { EventStore } from '../../log/event-store.ts';
import { thisProcess } from '../../log/holder.ts';
import type { LeaseStore } from '../../log/lease-store.ts';
import { type Enclosing, InsideRunError } from './inside-run-error.ts';

/**
 * `reads`: records nothing. `starts`: makes something new, which an agent may do as well as a person. `decides`:
 * records a decision of a person, so a run may not call it on the log that it is recorded in.
 */
type VerbKind = 'reads' | 'starts' | 'decides';

/** Every verb. docs/decisions/0010-decisions-of-persons.md says why each is of its kind. */
export const VERB_KINDS: ReadonlyMap<string, VerbKind> = new Map<string, VerbKind>([
  ['demo', 'starts'],
  ['run', 'starts'],
  ['improve', 'starts'],
  ['submit', 'starts'],
  ['work', 'starts'],
  ['queue', 'reads'],
  ['requeue', 'decides'],
  ['resume', 'decides'],
  ['extend', 'decides'],
  ['inbox', 'reads'],
  ['answer', 'decides'],
  ['approve', 'decides'],
  ['deny', 'decides'],
  ['steer', 'decides'],
  ['pause', 'decides'],
  ['abort', 'decides'],
  ['config', 'reads'],
  ['grounds', 'reads'],
  ['runs', 'reads'],
  ['show', 'reads'],
  ['events', 'reads'],
  ['rebuild', 'reads'],
  ['diff', 'reads'],
  ['apply', 'decides'],
  ['undo', 'decides'],
  ['machine', 'reads'],
  ['new', 'starts'],
  ['check', 'reads'],
  ['prove', 'reads'],
  ['redecide', 'reads'],
  ['gc', 'decides'],
  ['copy', 'starts'],
  ['deliver', 'decides'],
  ['serve', 'decides'],
  ['studio', 'decides'],
  ['export', 'reads'],
  ['mcp', 'decides'],
  ['acp', 'decides'],
  ['help', 'reads'],
]);

/** With one of these flags, a verb that decides only says what it would do. */
const ONLY_SAYS: readonly string[] = ['check', 'dryRun', 'readOnly'];

/** Whether a call records a decision of a person. A verb that is missing in the table does. */
const decides = (verb: string, flags: object): boolean =>
  (VERB_KINDS.get(verb) ?? 'decides') === 'decides' &&
  !Object.entries(flags).some(([name, value]) => ONLY_SAYS.includes(name) && value === true);

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
