import { stat } from 'node:fs/promises';
import type { RunSettings } from '../../../machines/settings.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { askGit, lineOf } from '../../git/process/git.ts';
import { gitWorktree } from '../../git/git-worktree.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';

/** Throws where a run cannot work in its directory. Most loops need git: what they verify needs a tree hash. */
export async function checkEnvironment({ directory, loop: name }: RunSettings, loop: LoopDefinition): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) {
    throw new EnvironmentError('no_directory', `${directory} is not a directory. Name one that exists.`);
  }
  if (loop.settings?.needsGit && !(await gitWorktree(directory))) {
    throw await noGit(directory, `a run of ${name} needs one`);
  }
}

/** Why a directory is in no work tree, and what helps. `need`: what needs one; `otherwise`: what helps as well. */
export async function noGit(directory: string, need: string, otherwise = ''): Promise<EnvironmentError> {
  const { stdout } = await askGit(['rev-parse', '--is-bare-repository'], { directory });
  const message =
    lineOf(stdout) === 'true'
      ? `${directory} is a bare repository, which has no files to work on. Run in a clone or a worktree of it`
      : `${directory} is in no git work tree, and ${need}. Run: git init ${directory}${otherwise}`;
  return new EnvironmentError('no_git', message);
}

export const ignoredFolder = (directory: string): EnvironmentError =>
  new EnvironmentError('no_git', `git ignores ${directory}, and with it all of the work. Name another folder`);
