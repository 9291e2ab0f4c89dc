import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from '../../git/process/git.ts';

/** Files by their path. */
export type Files = { readonly [path: string]: string };

const AUTHOR = ['-c', 'user.name=loopfold', '-c', 'user.email=loopfold@localhost', '-c', 'commit.gpgsign=false'];

/** Makes a folder a git repository with one commit of these files, whatever git is set to. Throws a `GitError`. */
export async function scratchRepository(directory: string, files: Files, message: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await git(['init', '--quiet'], { directory });
  await git(['add', '--all'], { directory });
  await git([...AUTHOR, 'commit', '--quiet', '--message', message], { directory });
}
