import type { CommitCost } from './measured-commit.ts';

/** Commits of a step: its answer, its result, and a share of those of its turn. */
export const COMMITS_A_STEP = 2.1;

/** What a commit costs after so much CPU work, in microseconds, between what was measured; beyond, as the last. */
export function commitAfter(commits: readonly CommitCost[], work: number, wal: CommitCost['wal'] = 'reused'): number {
  const curve = commits.filter((one) => one.wal === wal).toSorted((a, b) => a.workMicroseconds - b.workMicroseconds);
  const above = curve.findIndex(({ workMicroseconds }) => workMicroseconds >= work);
  const [low, high] = [curve[above - 1], curve[above]];
  if (!high) return curve.at(-1)?.value ?? Number.NaN;
  if (!low) return high.value;
  const share = (work - low.workMicroseconds) / (high.workMicroseconds - low.workMicroseconds);
  return low.value + share * (high.value - low.value);
}

/** How long a step takes that does so much CPU work besides its commits, in microseconds. */
const stepAfter = (commits: readonly CommitCost[], work: number): number =>
  work + COMMITS_A_STEP * commitAfter(commits, work / COMMITS_A_STEP);

/** The speed of such a step, of a loop that commits as often and does nothing else. */
export const ratioAfter = (commits: readonly CommitCost[], work: number): number =>
  stepAfter(commits, 0) / stepAfter(commits, work);

const LONGEST_STEP_MICROSECONDS = 1_000_000;

/** The most CPU work, in microseconds, with which a step keeps so much of the speed of the loop that does nothing. */
export function mostWorkAt(commits: readonly CommitCost[], ratio: number): number {
  let [low, high] = [0, LONGEST_STEP_MICROSECONDS];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (ratioAfter(commits, middle) >= ratio) low = middle;
    else high = middle;
  }
  return low;
}
