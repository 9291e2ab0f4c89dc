import { readFile } from 'node:fs/promises';
import { MARK_VARIABLE, recognisesProcesses } from './command-mark.ts';
import { statFields } from './process-stat.ts';

/** Many times what a person's terminal brings. Without `/proc`, only two processes are looked at. */
export const MAX_PROCESSES_ABOVE = 1_024;

/** A process, with what its environment says of the command that it belongs to. */
interface ProcessAbove {
  readonly pid: number;
  /** Empty: it belongs to none, or its environment cannot be read. */
  readonly mark: string;
}

export interface ProcessesAbove {
  /** This one is the first. */
  readonly processes: readonly ProcessAbove[];
  /** There are more, which were not looked at. */
  readonly isCut: boolean;
}

/**
 * This process, those that it descends from, and the leaders of their sessions: a process whose parent has ended is
 * still in the session of its command. A command that clears its environment cannot clear theirs.
 */
export async function processesAbove(most = MAX_PROCESSES_ABOVE): Promise<ProcessesAbove> {
  const own = { pid: process.pid, mark: process.env[MARK_VARIABLE] ?? '' };
  if (!recognisesProcesses()) return { processes: [own, { pid: process.ppid, mark: '' }], isCut: false };
  const found = new Map([[own.pid, own]]);
  // A map is walked in the order of its additions, those made meanwhile among them.
  for (const { pid } of found.values()) {
    for (const next of await nextAbove(pid)) {
      if (found.has(next)) continue;
      if (found.size >= most) return { processes: [...found.values()], isCut: true };
      found.set(next, { pid: next, mark: await markOf(next) });
    }
  }
  return { processes: [...found.values()], isCut: false };
}

/** The parent and the leader of the session. 0 stands for one in another namespace, or none. */
async function nextAbove(pid: number): Promise<readonly number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const [, parent, , session] = statFields(stat);
  return [Number(parent), Number(session)].filter((one) => one > 0);
}

async function markOf(pid: number): Promise<string> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  const entry = environment.split('\0').find((one) => one.startsWith(`${MARK_VARIABLE}=`));
  return entry?.slice(MARK_VARIABLE.length + 1) ?? '';
}
