import type { MeasuredPage } from '../../bench/measured.ts';

/** CPU time of a step of ours without that of its commits, in microseconds. */
export const ownWork = (page: MeasuredPage): number =>
  page.steps.cpuMicroseconds.value - page.steps.commits.sequence * cpuOfCommit(page);

/** The same of the floor: two commits a step. */
export const floorWork = (page: MeasuredPage): number => page.steps.floorCpuMicroseconds.value - 2 * cpuOfCommit(page);

function cpuOfCommit({ commits: { commits } }: MeasuredPage): number {
  const [one] = commits.filter(({ wal }) => wal === 'reused');
  return one?.cpu ?? 0;
}
