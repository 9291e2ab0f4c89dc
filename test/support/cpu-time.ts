/** The time that this process takes for some work, in milliseconds: a busy machine does not lengthen it. */
export function cpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
