import { dependencyFolders } from '../git/worktree/give-dependencies.ts';
import { isMade } from '../evidence/never-given.ts';
import { foldersOf } from '../evidence/workspace-paths.ts';
import type { NamedEntries } from './trees-by-path.ts';

export interface AskedDependencies {
  readonly root: string;
  /** Names or paths of folders of dependencies. */
  readonly names: readonly string[];
  readonly trees: readonly NamedEntries[];
}

/**
 * The folders of installed dependencies that the legs of a proof get from the workspace. One whose place is taken in a
 * tree, by a file or a link, is not given.
 */
export async function givenDependencies({ root, names, trees }: AskedDependencies): Promise<readonly string[]> {
  const found = await dependencyFolders(names, { directory: root });
  return found.filter((folder) => !isMade(folder) && isFree(folder, trees));
}

/** Whether no tree has anything there, nor a file or link where its folders are. */
export const isFree = (path: string, trees: readonly NamedEntries[]): boolean =>
  [...foldersOf(path), path].every((place) => trees.every((entries) => !entries.has(place)));
