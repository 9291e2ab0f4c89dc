import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askGit, git, type GitCall, GitError, gitLine } from './git.ts';

export interface BlobsToMerge {
  readonly from: string;
  readonly to: string;
  readonly now: string;
}

/** Git's exit codes: 0 without a conflict, then the number of conflicts, 255 for a file that is not text. */
const GIT_FAILED = 128;
const NOT_TEXT = 255;

/** The hash of `now` with the change from `from` to `to` in it; null where both changed the same lines. */
export async function mergeBlobs({ from, to, now }: BlobsToMerge, call: GitCall): Promise<string | null> {
  if (from === to) return now;
  if (now === from || now === to) return to;
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-merge-'));
  try {
    const files = await Promise.all(
      [now, from, to].map(async (hash, index) => {
        const file = join(folder, String(index));
        await writeFile(file, await git(['cat-file', 'blob', hash], call));
        return file;
      }),
    );
    const { exitCode, stdout, stderr } = await askGit(['merge-file', '-p', '--quiet', ...files], call);
    if (exitCode >= GIT_FAILED && exitCode !== NOT_TEXT) throw new GitError('git_failed', 'merge-file', stderr);
    return exitCode === 0 ? await gitLine(['hash-object', '-w', '--stdin'], { ...call, input: stdout }) : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
