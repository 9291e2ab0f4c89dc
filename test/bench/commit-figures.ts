import { measureCommits } from './commit-costs.ts';
import { mostWorkAt } from './commit-ratio.ts';
import { type Figure, repeated } from './measure.ts';

/** What a durable commit costs here, and how much CPU work a step may do for half the speed of the raw loop. */
export async function commitFigures(): Promise<Figure[]> {
  const [commits = []] = await repeated(1, measureCommits);
  const costs = commits.map(({ wal, workMicroseconds, value, low, high }) => ({
    name: `a commit after ${workMicroseconds} µs of work, WAL ${wal}`,
    value,
    low,
    high,
    unit: 'µs',
    bound: null,
  }));
  const most = {
    name: 'CPU of a step at 0.5 of the raw loop',
    value: mostWorkAt(commits, 0.5),
    unit: 'µs',
    bound: null,
  };
  return [...costs, most];
}
