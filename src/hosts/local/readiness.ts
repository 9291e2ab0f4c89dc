import { stat } from 'node:fs/promises';
import type { RunSettings } from '../../../machines/settings.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { gitWorktree } from '../../actors/workspace/git-worktree.ts';

/** The environment of a run lacks something. Nothing was written. The message ends with what to do. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly code: 'no_directory' | 'no_git' | 'no_isolation' | 'dependencies_changed';

  constructor(code: EnvironmentError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws where a run cannot work in its directory. Most loops need git: what they verify needs a tree hash. */
export async function checkEnvironment({ directory, loop: name }: RunSettings, loop: LoopDefinition): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) {
    throw new EnvironmentError('no_directory', `${directory} is not a directory. Name one that exists.`);
  }
  if (loop.settings?.needsGit && !(await gitWorktree(directory))) {
    throw new EnvironmentError(
      'no_git',
      `${directory} is in no git work tree, and a run of ${name} needs one. Run: git init ${directory}`,
    );
  }
}
