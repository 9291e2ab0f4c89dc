import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Step } from './bring-plan.ts';
import { git, gitFacts, type GitCall } from './git.ts';

/**
 * Calls `work` with a folder that has the files of an index that some steps lead to, as a checkout would write them:
 * line ends, encodings and filters are those of the tree itself. No hook runs.
 */
export async function withStagedFiles<Result>(
  steps: readonly Step[],
  call: GitCall & { readonly index: string },
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-files-'));
  try {
    const names = steps.flatMap(({ name, next }) => (next === null ? [] : [`${name}\0`]));
    if (names.length > 0) {
      const [gitDirectory = ''] = await gitFacts(['--git-dir'], call);
      // Attributes are read from the index, because this work tree has none yet.
      const place = [`--git-dir=${gitDirectory}`, `--work-tree=${folder}`];
      const input = Buffer.from(names.join(''), 'latin1');
      await git([...place, 'checkout-index', '-z', '--stdin'], { ...call, directory: folder, input });
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
