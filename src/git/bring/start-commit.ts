import { pathspecsBesideOwn } from '../../text/own-files.ts';
import { git, type GitCall, gitLine } from '../process/git.ts';
import { sameEntry } from '../../evidence/tree-entry.ts';
import { withMergedTree } from './bring-plan.ts';
import { storedEntries } from '../worktree/entries-of-store.ts';
import { type TreeChange, TREE_CHANGES, treeChangesIn, treeEntries } from '../tree-change.ts';

const IDENTITY = 'loopfold <loopfold@localhost>';
const MESSAGE = 'The workspace as the run found it: files that were not committed yet are in this commit\n';

/**
 * The commit that the branch of a loop begins with: the one that was checked out, or, where its worktree began with
 * files that were not committed, one on top of that has them. The same again whenever it is asked for. `head`: null
 * before the first commit of a repository. Throws a `GitError`.
 */
export async function startCommit(head: string | null, base: string, of: GitCall): Promise<string> {
  const call = { ...of, mayFetch: true };
  const changes = await uncommitted(head, base, call);
  const after = new Map(changes.flatMap(({ name, after: entry }) => (entry ? [[name, entry] as const] : [])));
  const stored = await storedEntries(after, head, call);
  const steps = changes.flatMap(({ path, name, before: now }) => {
    const next = stored.get(name) ?? null;
    return sameEntry(next, now) ? [] : [{ path, name, now, next, isMerged: false }];
  });
  if (head !== null && steps.length === 0) return head;
  const tree = await withMergedTree(head ?? base, steps, call, async ({ hash }) => hash);
  const at = `${IDENTITY} ${head === null ? 0 : await secondsOf(head, call)} +0000`;
  const parent = head === null ? [] : [`parent ${head}`];
  const lines = [`tree ${tree}`, ...parent, `author ${at}`, `committer ${at}`];
  const input = new TextEncoder().encode(`${lines.join('\n')}\n\n${MESSAGE}`);
  return gitLine(['hash-object', '-t', 'commit', '-w', '--stdin'], { ...call, input });
}

type Change = Pick<TreeChange, 'path' | 'name' | 'before' | 'after'>;

/** What the files are to a commit. Before the first one, all of them are looked at: git may store them otherwise. */
async function uncommitted(head: string | null, base: string, call: GitCall): Promise<readonly Change[]> {
  if (head === null) {
    return [...(await treeEntries(base, call))].map(([name, entry]) => ({
      path: name,
      name,
      before: entry,
      after: entry,
    }));
  }
  const asked = [...TREE_CHANGES, `${head}^{tree}`, base, '--', ...pathspecsBesideOwn([])];
  return treeChangesIn(Buffer.from(await git(asked, call)));
}

/** When it was committed, in seconds since 1970. */
const secondsOf = (commit: string, call: GitCall): Promise<string> =>
  gitLine(['show', '--no-patch', '--format=%ct', commit], call);
