import { realpath } from 'node:fs/promises';
import type { Isolation, RunSettings } from '../../../machines/settings.ts';
import { withoutFolder } from '../../git/worktree/give-dependencies.ts';
import { askGit, gitLine } from '../../git/process/git.ts';
import { type OriginRepository, originRepository } from '../../git/worktree/origin-repository.ts';
import { placeAround } from '../../git/worktree/worktree-place.ts';
import { DEPENDENCY_FOLDERS } from '../../options/defaults.ts';
import type { RunOptions } from '../../config/options.ts';
import { faultAt } from '../../options/config-fault.ts';
import { OptionsError } from '../start/options-error.ts';
import { noGit } from '../start/runnable.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';

/** A worktree that a run asks for. */
export interface WantedIsolation {
  /** Names or paths of folders of dependencies. */
  readonly dependencies: readonly string[];
  readonly from: IsolatedFrom;
}

/** What a worktree begins with: the files as they are, or those of the commit that is checked out. */
export type IsolatedFrom = NonNullable<RunOptions['isolateFrom']>;

/**
 * The worktree that these options ask for, once it is clear that one can be made. Throws an `EnvironmentError`, and an
 * `OptionsError` where the options name what it begins with, and not whether there is to be one.
 */
export async function isolationOf(
  { isolate, isolateFrom = 'files', deps = [...DEPENDENCY_FOLDERS] }: RunOptions,
  { directory }: Pick<RunSettings, 'directory'>,
): Promise<WantedIsolation | null> {
  // A run in the folder itself has the very files that were to stay behind.
  if (isolate === undefined && isolateFrom === 'HEAD') {
    throw new OptionsError([faultAt('isolateFrom', isolateFrom, NEEDS_WORKTREE)]);
  }
  if (isolate !== 'worktree') return null;
  await isolable(directory, isolateFrom);
  return { dependencies: [...deps], from: isolateFrom };
}

const NEEDS_WORKTREE =
  "isolate 'worktree' beside it (--isolate worktree), or isolate 'none' to work on the files as they are " +
  '(--isolate none)';

/** Folders that were asked for by name, and are not there. Those that every isolated run gets may be missing. */
export const missingDependencies = (asked: readonly string[], { dependencies }: Isolation): readonly string[] =>
  withoutFolder(
    asked.filter((name) => !DEPENDENCY_FOLDERS.includes(name)),
    dependencies.map(({ path }) => path),
  );

/** The repository that a worktree can be made from. Throws an `EnvironmentError` where none can be made, and why. */
export async function isolable(directory: string, from: IsolatedFrom): Promise<OriginRepository> {
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
  if (from === 'HEAD') await assertCommitted(origin, directory);
  return origin;
}

const AS_THEY_ARE = 'or begin with the files as they are, with --isolate-from files';

/** Throws where the commit has nothing of the folder: an agent would find it empty. */
async function assertCommitted({ root, prefix, head }: OriginRepository, directory: string): Promise<void> {
  if (head === null) {
    throw new EnvironmentError(
      'no_isolation',
      `${root} has no commit yet, which a worktree from HEAD begins with. Commit first: ` +
        `git -C ${root} add --all && git -C ${root} commit; ${AS_THEY_ARE}`,
    );
  }
  if (prefix === '') return;
  const listed = await gitLine(['ls-tree', '--full-tree', '-d', head.commit, '--', prefix.slice(0, -1)], {
    directory: root,
  });
  if (listed !== '') return;
  throw new EnvironmentError(
    'no_isolation',
    `commit ${head.commit.slice(0, 12)} has no folder ${prefix}, so that a worktree from HEAD would have nothing of ` +
      `${directory}. Commit its files, ${AS_THEY_ARE}`,
  );
}

const isIgnored = async (directory: string): Promise<boolean> =>
  (await askGit(['check-ignore', '--quiet', '.'], { directory })).exitCode === 0;
