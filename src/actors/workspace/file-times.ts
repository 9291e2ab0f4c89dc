import { lstatSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { gitFacts, type GitCall } from './git.ts';

// Files have times of their system, not of this process: of the kernel's last tick, or of a server's clock. A file that
// a run wrote in its first milliseconds can be older than the run by them.

/** At 100 ticks a second. */
const MAX_TICK_MS = 10;

/**
 * The earliest time that a file can have that was written since a time of this process, both in ms since 1970. The file
 * system is that of the repository. Where it cannot be asked, only the tick of the kernel counts.
 */
export async function earliestFileTime(since: number, call: GitCall): Promise<number> {
  return since - MAX_TICK_MS - Math.max(0, await lagOf(call).catch(() => 0));
}

/** How far the clock of a file system is behind, in ms, or a little more. */
async function lagOf(call: GitCall): Promise<number> {
  const [gitDirectory = ''] = await gitFacts(['--git-dir'], call);
  // In one go: a process that does something else meanwhile would count that, too.
  const made = mkdtempSync(join(gitDirectory, 'loopfold-time-'));
  try {
    return Date.now() - lstatSync(made).ctimeMs;
  } finally {
    rmdirSync(made);
  }
}
