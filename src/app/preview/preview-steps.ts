import { join } from 'node:path';
import type { CheckSteps, RunSettings } from '../../../machines/settings.ts';
import { worktreeFacts } from '../../git/git-worktree.ts';
import { listFiles } from '../../git/file-listing.ts';
import { boundedRead } from '../../config/read-within.ts';
import { checksOfWork } from '../../config/clean-tree.ts';
import { hasSteps } from '../../loops/loop-abilities.ts';
import { readSteps } from '../../evidence/steps/load-steps.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

const MAX_FILE_BYTES = 1024 * 1024;

/** The checks of several steps of a run that is to start, in the workspace as it is. Throws a `GitError`. */
export async function previewedSteps(
  { directory, checks }: RunSettings,
  loop: LoopDefinition,
): Promise<readonly CheckSteps[]> {
  if (!hasSteps(loop)) return [];
  const [root = '', prefix = ''] = (await worktreeFacts(['--show-prefix'], { directory })) ?? [];
  const { files } = root === '' ? { files: [] } : await listFiles({ directory: root });
  const read = async (path: string) => {
    const found = await boundedRead(join(root, path), MAX_FILE_BYTES);
    return found.kind === 'text' ? found.text : null;
  };
  return readSteps(checksOfWork(checks), { folder: prefix.replace(/\/$/, ''), paths: files, read });
}
