import type { RunSettings } from '../../../machines/settings.ts';
import { askGit, lineOf } from '../../git/process/git.ts';
import type { Clock } from '../../actors/timer/clock.ts';
import type { Surroundings } from '../../prompt/coder-subject.ts';
import { pathText } from '../../text/path-text.ts';

const MAX_BRANCH_CHARACTERS = 200;
const SHORT_COMMIT = 12;
/** Of an ISO time: its day. */
const DAY_CHARACTERS = 10;

/** Where and when a run begins. A folder that git does not know, or without git, is said to be none of git's. */
export async function placeAndTimeOf(
  { directory, isolation }: Pick<RunSettings, 'directory' | 'isolation'>,
  clock: Clock,
): Promise<Surroundings> {
  const head = await headIn(isolation?.origin ?? directory).catch(() => 'none');
  return {
    platform: `${process.platform} ${process.arch}`,
    date: new Date(clock.now()).toISOString().slice(0, DAY_CHARACTERS),
    git: isolation ? `${head}; you work in a worktree of your own` : head,
  };
}

/** The branch, or the commit where none is checked out. */
async function headIn(directory: string): Promise<string> {
  const branch = await askGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], { directory });
  if (branch.exitCode === 0) return `branch ${pathText(lineOf(branch.stdout), MAX_BRANCH_CHARACTERS)}`;
  const commit = await askGit(['rev-parse', '--verify', '--quiet', 'HEAD'], { directory });
  if (commit.exitCode !== 0) return 'none';
  return `no branch, commit ${lineOf(commit.stdout).slice(0, SHORT_COMMIT)}`;
}
