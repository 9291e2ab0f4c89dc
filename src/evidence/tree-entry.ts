/** What a git tree has at a path. */
export interface TreeEntry {
  /** As git writes it: `100644`, `100755` (may be executed), `120000` (symbolic link), `160000` (repository within). */
  readonly mode: string;
  readonly hash: string;
}

/** Whether a path has the same in two trees. Null and undefined: nothing. */
export const sameEntry = (one: TreeEntry | null | undefined, other: TreeEntry | null | undefined): boolean =>
  one?.mode === other?.mode && one?.hash === other?.hash;
