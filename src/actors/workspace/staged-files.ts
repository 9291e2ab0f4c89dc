import { rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '../../log/place-fault.ts';
import type { Step } from './bring-plan.ts';
import { git, type GitCall } from './git.ts';
import { rawRepositoryOf } from './raw-repository.ts';

/** Calls `work` with a folder that has the files of an index that some steps lead to, byte for byte. */
export async function withStagedFiles<Result>(
  steps: readonly Step[],
  call: GitCall & { readonly index: string },
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTemporaryFolder('loopfold-files-');
  try {
    const names = steps.flatMap(({ name, next }) => (next === null ? [] : [`${name}\0`]));
    if (names.length > 0) {
      const raw = await rawRepositoryOf(call, folder);
      const input = Buffer.from(names.join(''), 'latin1');
      await git(['checkout-index', '-z', '--stdin'], { ...call, directory: folder, raw, input });
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
