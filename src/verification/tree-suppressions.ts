import type { GitCall } from '../git/process/git.ts';
import { wholeFilesPatch } from '../git/tree-change.ts';
import { SuppressionCount } from '../evidence/suppression-count.ts';
import type { SuppressionKind } from '../evidence/suppressions.ts';

interface Trees {
  readonly from: string;
  readonly to: string;
}

/** Counts how many comments of a kind that silences checks a tree has more than another one. Throws a `GitError`. */
export async function treeSuppressions({ from, to }: Trees, kind: SuppressionKind, call: GitCall): Promise<number> {
  const decoder = new TextDecoder();
  const count = new SuppressionCount(kind);
  let rest = '';
  for await (const part of wholeFilesPatch({ from, to }, call)) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) count.add(line);
  }
  count.add(rest);
  return count.total();
}
