import type { GitCall } from '../../../actors/workspace/git.ts';
import { treePatch } from '../../../actors/workspace/tree-patch.ts';
import { suppressionsAdded } from '../../../evidence/suppressions.ts';

/** How many comments that silence compilers and linters a tree has more than another one. Throws a `GitError`. */
export async function treeSuppressions(from: string, to: string, call: GitCall): Promise<number> {
  const decoder = new TextDecoder();
  let added = 0;
  let rest = '';
  for await (const part of treePatch({ from, to, leaveOut: [] }, call, true)) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    added += suppressionsAdded(lines);
  }
  return added + suppressionsAdded([rest]);
}
