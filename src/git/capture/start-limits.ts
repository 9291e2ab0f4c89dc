import { INCIDENTAL_LIMITS, MAX_INCIDENTAL_BYTES, MAX_INCIDENTAL_FILES } from './secret-paths.ts';
import type { GitCall } from '../process/git.ts';
import { nameText } from '../process/git-names.ts';
import { filesWithin, hasCommit, repositoriesOf } from './inner-repositories.ts';
import { bytesOf, statOf } from '../workspace-path.ts';

// Of a repository with a commit git has most files, and ignores what is no work. One without any commit may be a folder
// on which `git init` was just called, with all that was ever installed there.

/** A run cannot begin: its start would be a copy of too much. */
export class LargeStartError extends Error {
  override readonly name = 'LargeStartError';
  readonly code = 'large_start';
  readonly repository: string;

  constructor(repository: string) {
    super(
      `${repository} has no commit, and git would keep all files there as they were when the run began: that is ` +
        `${INCIDENTAL_LIMITS}. Let git ignore what is not your work, such as node_modules, and commit the rest; ` +
        'then start again',
    );
    this.repository = repository;
  }
}

/**
 * Throws a `LargeStartError` where the workspace, or a repository within, has no commit, and more files than one
 * capture takes of those beside the work. `others`: what git does not track, a repository with a slash, in latin1.
 */
export async function assertStartFits(others: readonly string[], call: GitCall): Promise<void> {
  const { directory } = call;
  const files = others.filter((name) => !name.endsWith('/'));
  if ((await isBeyond(files, directory)) && !(await hasCommit('', call))) throw new LargeStartError(directory);
  for (const within of repositoriesOf(others)) {
    if (await hasCommit(within, call)) continue;
    const { names, bytes } = await filesWithin(within, true, call);
    if (names.length > MAX_INCIDENTAL_FILES || bytes > MAX_INCIDENTAL_BYTES) {
      throw new LargeStartError(`${directory}/${nameText(within)}`);
    }
  }
}

/** Whether these files, from the root and in latin1, are more than one capture takes of those beside the work. */
export async function isBeyond(names: readonly string[], root: string): Promise<boolean> {
  if (names.length > MAX_INCIDENTAL_FILES) return true;
  const found = await Promise.all(names.map((name) => statOf(bytesOf(root, name)).catch(() => null)));
  return found.reduce((sum, stats) => sum + Number(stats?.size ?? 0), 0) > MAX_INCIDENTAL_BYTES;
}
