import { askGit, GitError } from './git.ts';

const MAX_CHARACTERS = 320;

/**
 * Reads the address of the user from git's configuration for a folder, where nothing of the repository runs. Null: it
 * has none, or git cannot say.
 */
export async function userEmail(directory: string): Promise<string | null> {
  try {
    const { exitCode, stdout } = await askGit(['config', '--get', 'user.email'], { directory });
    const email = new TextDecoder().decode(stdout).trim().slice(0, MAX_CHARACTERS).toWellFormed();
    return exitCode === 0 && email !== '' ? email : null;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
