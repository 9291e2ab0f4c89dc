import { changedSince } from '../../../actors/proof/dependencies-since.ts';
import { dependencyFolders } from '../../../actors/workspace/dependency-folders.ts';
import { isMade } from '../../../evidence/never-given.ts';
import type { NamedEntries } from './base-grounds.ts';

/** The installed dependencies that the legs of a proof get from the workspace. */
export interface ProofDependencies {
  readonly given: readonly string[];
  /** Files of them that changed since the run began. Null: that cannot be known here. */
  readonly changed: readonly string[] | null;
}

export interface AskedDependencies {
  readonly root: string;
  /** Names or paths of folders of dependencies. */
  readonly names: readonly string[];
  /** When the run began. Null: it had a copy of them. */
  readonly since: Date | null;
  readonly trees: readonly NamedEntries[];
}

/** Finds them. One whose place is taken in a tree, by a file or a link, is not given. */
export async function givenDependencies(asked: AskedDependencies): Promise<ProofDependencies> {
  const { root, names, since, trees } = asked;
  const found = await dependencyFolders(names, { directory: root });
  const given = found.filter((folder) => !isMade(folder) && isFree(folder, trees));
  // Copies by hard links change the only time that no process can set back.
  return { given, changed: since === null ? null : await changedSince(root, given, since) };
}

/** Whether no tree has anything there, nor a file or link where its folders are. */
export const isFree = (path: string, trees: readonly NamedEntries[]): boolean =>
  placesOf(path).every((place) => trees.every((entries) => !entries.has(place)));

const placesOf = (folder: string): readonly string[] =>
  folder.split('/').map((_name, index, names) => names.slice(0, index + 1).join('/'));
