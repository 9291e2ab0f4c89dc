import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Between asking a group to end and making it. */
const KILL_GRACE_MS = 2_000;
/** How long a killed group may take to vanish. */
const VANISH_MS = 1_000;
const POLL_MS = 10;

/** Ends every process of a group (named by its leader's pid): asks, waits a grace, kills. Returns when none is left. */
export async function endGroup(group: number): Promise<void> {
  const kill = () => signalGroup(group, 'SIGKILL');
  // If this process ends within the grace period, no other process would kill the group.
  process.once('exit', kill);
  try {
    signalGroup(group, 'SIGTERM');
    if (await vanishes(group, KILL_GRACE_MS)) return;
    kill();
    await vanishes(group, VANISH_MS);
  } finally {
    process.off('exit', kill);
  }
}

async function vanishes(group: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (await hasLiveMember(group)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** The dead still answer signals until their new parent reaps them, which may be never: on Linux, look closer. */
async function hasLiveMember(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.some((stat) => {
    const [state, , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(memberOf) === group && state !== 'Z' && state !== 'X';
  });
}

/** Whether there was anyone to signal. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
