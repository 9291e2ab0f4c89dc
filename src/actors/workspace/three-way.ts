import { isFile, isRepository, sameEntry, type TreeEntry } from '../../evidence/tree-entry.ts';

/** One path in three trees: the change leads from `from` to `to`, and `now` is what is there. */
export interface ThreeWay {
  readonly from: TreeEntry | null;
  readonly to: TreeEntry | null;
  readonly now: TreeEntry | null;
}

/**
 * What the change does to a path: `take` what it leads to, nothing where that is `done`, `merge` where the file has
 * changed since, or a `conflict`, where two different things were done to it that are not both text.
 */
export function threeWay({ from, to, now }: ThreeWay): 'take' | 'done' | 'merge' | 'conflict' {
  if (sameEntry(now, to)) return 'done';
  // Files of a repository within are its own: only its commit is known.
  if ([from, to, now].some(isRepository)) return 'conflict';
  if (sameEntry(now, from)) return 'take';
  return [from, to, now].every(isFile) ? 'merge' : 'conflict';
}

/** The mode of a merged file: of two that differ from the third, both are the same. */
export const mergedMode = ({ from, to, now }: { readonly [one in keyof ThreeWay]: TreeEntry }): string =>
  to.mode === from.mode ? now.mode : to.mode;
