import { askGit } from './git.ts';

/** Whether git ignores a path below a folder. False outside git, and where git cannot be asked. */
export async function isIgnored(directory: string, path: string): Promise<boolean> {
  try {
    const { exitCode } = await askGit(['check-ignore', '--quiet', path], { directory });
    return exitCode === 0;
  } catch {
    return false;
  }
}
