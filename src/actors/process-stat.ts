// Linux tells of a process in one line, `/proc/PID/stat`. See proc_pid_stat(5).

/** USER_HZ, the unit of the times in it: a hundredth of a second, whatever the ticks of the kernel are. */
export const TICK_MS = 10;
const USER_TIME = 11;
const TIMES = 4;

/** The fields from the state on. The name before them is in parentheses, and may contain anything. */
export const statFields = (stat: string): readonly string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** User and system time of a process itself, and of the children that it has waited for. */
export function timesOf(stat: string): { readonly ownMs: number; readonly childrenMs: number } {
  const [user = NaN, system = NaN, childUser = NaN, childSystem = NaN] = statFields(stat)
    .slice(USER_TIME, USER_TIME + TIMES)
    .map((ticks) => Number(ticks) * TICK_MS);
  return { ownMs: user + system, childrenMs: childUser + childSystem };
}
