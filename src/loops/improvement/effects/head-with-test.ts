import type { AcceptanceTest } from '../../../../machines/improvement-facts.ts';
import { type GitCall, gitLine } from '../../../git/process/git.ts';
import { withMergedTree } from '../../../git/bring/bring-plan.ts';
import type { TreeEntries } from '../../../git/tree-change.ts';

/** Files to be put into a tree, by their names as git has them. */
export type Texts = ReadonlyMap<string, string>;

/** Writes a tree with these files in place of what it has there, or beside it. Throws a `GitError`. */
export async function treeWith(
  tree: string,
  texts: Texts,
  entries: TreeEntries | null,
  call: GitCall,
): Promise<string> {
  const steps = await Promise.all(
    [...texts].map(async ([name, text]) => {
      const hash = await gitLine(['hash-object', '-w', '--stdin'], { ...call, input: Buffer.from(text) });
      const now = entries?.get(name) ?? null;
      return { name, path: name, now, next: { mode: now?.mode ?? '100644', hash }, isMerged: false };
    }),
  );
  return withMergedTree(tree, steps, call, async ({ hash }) => hash);
}

/** The head with an acceptance test in it: what its experiment begins with. */
export const headWithTest = (
  head: string,
  { path, text }: Pick<AcceptanceTest, 'path' | 'text'>,
  call: GitCall,
): Promise<string> => treeWith(head, new Map([[nameOf(path), text]]), null, call);

/** A path as git has it: each byte one character. */
export const nameOf = (path: string): string => Buffer.from(path, 'utf8').toString('latin1');
