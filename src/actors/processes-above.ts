import { readFile } from 'node:fs/promises';
import { MARK_VARIABLE, recognisesProcesses } from './command-mark.ts';
import { statFields, TICK_MS } from './process-stat.ts';

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

/** Places of fields in `/proc/PID/stat`, from the state on. */
const PARENT = 1;
const STARTED = 19;
/** Programs that adopt processes whose parents have ended: to descend from one says nothing. */
const ADOPTS: ReadonlySet<string> = new Set(
  'systemd init launchd tini dumb-init docker-init catatonit s6-svscan runsvdir supervisord'.split(' '),
);

/**
 * Tells whether this process descends from one that was there before a moment, as a person's terminal or multiplexer
 * was: a command that a run started later, and that has left it, descends from what adopted it alone. A process from
 * outside of its namespace counts. Where processes say nothing of their start, the answer is yes.
 */
export async function hasElder(since: Date): Promise<boolean> {
  if (!recognisesProcesses()) return true;
  const [uptime = NaN] = (await readFile('/proc/uptime', 'latin1').catch(() => '')).split(' ').map(Number);
  const bootedAt = Date.now() - uptime * 1000;
  const { processes } = await processesAbove();
  for (const { pid } of processes) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    const fields = statFields(stat);
    if (pid !== 1 && fields[PARENT] === '0') return true;
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    if (pid === process.pid || ADOPTS.has(name)) continue;
    if (bootedAt + Number(fields[STARTED]) * TICK_MS < since.getTime()) return true;
  }
  return false;
}
