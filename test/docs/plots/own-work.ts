import type { MeasuredPage } from '../../bench/measured.ts';

/** CPU time of a step of ours without that of its commits, in microseconds. */
export function ownWork({ steps, commits: { commits } }: MeasuredPage): number {
  const [one] = commits.filter(({ wal }) => wal === 'reused');
  return steps.cpuMicroseconds.value - steps.commits.sequence * (one?.cpu ?? 0);
}
