import type { InheritedGround } from '../../../machines/settings.ts';
import type { GitCall } from '../../git/process/git.ts';
import { textOf } from '../../git/object-text.ts';
import type { ChangedSince, EarlierEntry } from '../../evidence/grounds-of-earlier.ts';
import { sameButFormat } from '../../evidence/same-but-format.ts';
import { isFile, type TreeEntry } from '../../evidence/tree-entry.ts';
import { pathOf } from '../../verification/trees-by-path.ts';
import { type GroundRules, inheritedBase } from './base-of-earlier.ts';

type Since = ReadonlyMap<string, ChangedSince<TreeEntry>>;

export interface SinceEarlier {
  /** What a formatter alone has changed since: it is still what a run has left. */
  readonly formatted: ReadonlyMap<string, EarlierEntry<TreeEntry>>;
  /** What people have made their own: the first by path. A run that began with it has said so. */
  readonly others: readonly (InheritedGround & { readonly isKnown: boolean })[];
}

/** Sorts the grounds among what earlier runs changed, and others have since. Throws a `GitError`. */
export async function sinceEarlier(
  present: string,
  since: Since,
  rules: GroundRules,
  call: GitCall,
): Promise<SinceEarlier> {
  const grounds = (await inheritedBase(present, since, rules, call))?.inherited ?? [];
  const named = new Map([...since].map(([name, one]) => [pathOf(name), { name, ...one }]));
  const formatted = new Map<string, EarlierEntry<TreeEntry>>();
  const others: (InheritedGround & { readonly isKnown: boolean })[] = [];
  for (const { path, run } of grounds) {
    const found = named.get(path);
    if (found === undefined) continue;
    const { name, left, now, isTheirs, isKnown } = found;
    if (await isFormatted(left, now, call)) formatted.set(name, found);
    else if (isTheirs) others.push({ path, run, isKnown });
  }
  return { formatted, others };
}

async function isFormatted(left: TreeEntry | null, now: TreeEntry | null, call: GitCall): Promise<boolean> {
  if (!isFile(left) || !isFile(now)) return false;
  const [one, other] = await Promise.all([textOf(left.hash, call), textOf(now.hash, call)]);
  return one !== null && other !== null && sameButFormat(one, other);
}
