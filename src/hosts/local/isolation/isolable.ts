import { realpath } from 'node:fs/promises';
import type { Isolation, RunSettings } from '../../../../machines/settings.ts';
import { withoutFolder } from '../../../actors/workspace/dependency-folders.ts';
import { askGit } from '../../../actors/workspace/git.ts';
import { type OriginRepository, originRepository } from '../../../actors/workspace/origin-repository.ts';
import { placeAround } from '../../../actors/worktree-place.ts';
import { DEPENDENCY_FOLDERS } from '../../../config/defaults.ts';
import type { RunOptions } from '../../../config/options.ts';
import { EnvironmentError, noGit } from '../readiness.ts';

/** A worktree that a run asks for. */
export interface WantedIsolation {
  /** Names or paths of folders of dependencies. */
  readonly dependencies: readonly string[];
}

/** The worktree that these options ask for, once it is clear that one can be made. Throws an `EnvironmentError`. */
export async function isolationOf(
  { isolate, deps = [...DEPENDENCY_FOLDERS] }: RunOptions,
  { directory }: Pick<RunSettings, 'directory'>,
): Promise<WantedIsolation | null> {
  if (isolate !== 'worktree') return null;
  await isolable(directory);
  return { dependencies: [...deps] };
}

/** Folders that were asked for by name, and are not there. Those that every isolated run gets may be missing. */
export const missingDependencies = (asked: readonly string[], { dependencies }: Isolation): readonly string[] =>
  withoutFolder(
    asked.filter((name) => !DEPENDENCY_FOLDERS.includes(name)),
    dependencies.map(({ path }) => path),
  );

/** The repository that a worktree can be made from. Throws an `EnvironmentError` where none can be made, and why. */
export async function isolable(directory: string): Promise<OriginRepository> {
  const inside = placeAround(await realpath(directory).catch(() => directory));
  if (inside) {
    throw new EnvironmentError('no_isolation', `${directory} is in the worktree of a run already. Name the project.`);
  }
  const origin = await originRepository(directory);
  if (origin === null) {
    throw await noGit(directory, 'a worktree is made from one', '; or work in the folder itself, with --isolate none');
  }
  if (origin.prefix !== '' && (await isIgnored(directory))) {
    throw new EnvironmentError(
      'no_isolation',
      `git ignores ${directory}, so that a worktree would not have its files. ` +
        'Name a folder that git keeps, or work in the folder itself, with --isolate none',
    );
  }
  return origin;
}

const isIgnored = async (directory: string): Promise<boolean> =>
  (await askGit(['check-ignore', '--quiet', '.'], { directory })).exitCode === 0;
