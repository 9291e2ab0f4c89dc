import { askGit, GitError } from './git.ts';

const MAX_CHARACTERS = 320;

/**
 * Reads the address of the user from git's configuration for a folder, where nothing of the repository runs. Null: it
 * has none, or git cannot say.
 */
export const userEmail = (directory: string): Promise<string | null> => configured('user.email', directory);

/** The variables by which git knows the user of a folder without the user's own configuration. */
export async function identityOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const [name, email] = await Promise.all([configured('user.name', directory), userEmail(directory)]);
  return {
    ...(name === null ? {} : { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email === null ? {} : { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}

async function configured(name: string, directory: string): Promise<string | null> {
  try {
    const { exitCode, stdout } = await askGit(['config', '--get', name], { directory });
    const value = new TextDecoder().decode(stdout).trim().slice(0, MAX_CHARACTERS).toWellFormed();
    return exitCode === 0 && value !== '' ? value : null;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
