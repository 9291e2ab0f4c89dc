/** What a git tree has at a path. */
export interface TreeEntry {
  /** As git writes it: `100644`, `100755` (may be executed), `120000` (symbolic link), `160000` (repository within). */
  readonly mode: string;
  readonly hash: string;
}

/** Whether a path has the same in two trees. Null and undefined: nothing. */
export const sameEntry = (one: TreeEntry | null | undefined, other: TreeEntry | null | undefined): boolean =>
  one?.mode === other?.mode && one?.hash === other?.hash;

type Entry = TreeEntry | null | undefined;

/** Whether it is a file, and no link and no repository. */
export const isFile = <Known extends Entry>(entry: Known): entry is Known & TreeEntry =>
  entry?.mode.startsWith('100') === true;

/** Whether it is a repository within: only its commit is known. */
export const isRepository = (entry: Entry): boolean => entry?.mode === '160000';

/** Tells whether it is a symbolic link. */
export const isLink = (entry: Entry): boolean => entry?.mode === '120000';
