import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { markedProcesses } from './command-mark.ts';
import { statFields } from './process-stat.ts';

/** Between asking processes to end and making them. */
const KILL_GRACE_MS = 2_000;
/** How long killed processes may take to vanish. */
const VANISH_MS = 1_000;
const POLL_MS = 10;

/** The processes of a command. */
interface Processes {
  /** Named by its leader's pid. */
  readonly group: number;
  /** Carried by those that have left the group, too. */
  readonly mark: string;
}

/** Ends every process of a command: asks, waits a grace, kills. Returns when none is left. */
export async function endProcesses({ group, mark }: Processes): Promise<void> {
  const kill = () => signalGroup(group, 'SIGKILL');
  // If this process ends within the grace period, no other process would kill the group.
  process.once('exit', kill);
  try {
    const hasGroup = signalGroup(group, 'SIGTERM');
    const detached = await detachedFrom(group, mark);
    if (!hasGroup && detached.length === 0) return;
    for (const pid of detached) signalProcess(pid, 'SIGTERM');
    const isOver = async () => !(await hasLiveMember(group)) && (await markedProcesses(mark)).length === 0;
    if (await holds(isOver, KILL_GRACE_MS)) return;
    kill();
    // Again and again: one that is found may start another before it is killed.
    await holds(async () => {
      for (const pid of await markedProcesses(mark)) signalProcess(pid, 'SIGKILL');
      return isOver();
    }, VANISH_MS);
  } finally {
    process.off('exit', kill);
  }
}

/** Ends the processes that are found, in the same way, until none is. Returns how many there were at first. */
export async function endFound(find: () => Promise<readonly number[]>): Promise<number> {
  const found = await find();
  for (const pid of found) signalProcess(pid, 'SIGTERM');
  const isOver = async () => (await find()).length === 0;
  if (found.length === 0 || (await holds(isOver, KILL_GRACE_MS))) return found.length;
  await holds(async () => {
    for (const pid of await find()) signalProcess(pid, 'SIGKILL');
    return isOver();
  }, VANISH_MS);
  return found.length;
}

async function holds(condition: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** The marked processes outside of the group: its members are asked to end by one signal to all of them. */
async function detachedFrom(group: number, mark: string): Promise<number[]> {
  const marked = await markedProcesses(mark);
  const stats = await Promise.all(marked.map(async (pid) => ({ pid, memberOf: (await statOf(pid)).memberOf })));
  return stats.flatMap(({ pid, memberOf }) => (memberOf === group ? [] : [pid]));
}

/** The dead still answer signals until their new parent reaps them, which may be never: on Linux, look closer. */
async function hasLiveMember(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => statOf(Number(pid))));
  return stats.some(({ state, memberOf }) => memberOf === group && state !== 'Z' && state !== 'X');
}

/** Of a process that is gone: without a state, and of no group. */
async function statOf(pid: number): Promise<{ readonly state: string; readonly memberOf: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [state = '', , memberOf] = statFields(stat);
  return { state, memberOf: Number(memberOf) };
}

/** Whether there was a process to signal. */
const signalGroup = (group: number, signal: NodeJS.Signals | 0): boolean => signalProcess(-group, signal);

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
