import { captureFolder } from '../capture/capture-folder.ts';
import { type Kept, withMergedTree } from './bring-plan.ts';
import { withoutObstacles } from './disk-obstacles.ts';
import type { GitCall } from '../process/git.ts';
import { logNames } from '../capture/log-names.ts';
import { withStagedFiles } from '../worktree/entries-of-store.ts';
import { treeChanges } from '../tree-change.ts';
import { signatureOf } from '../workspace-path.ts';
import { removeDrafts, writeSteps } from './write-steps.ts';

/** A worktree of a run that is to have the files of a tree. */
export interface TreeToBring {
  readonly run: string;
  /** A folder of the worktree. */
  readonly directory: string;
  /** The top of the worktree. */
  readonly top: string;
  readonly tree: string;
  /** Files of the loop's own, from `directory`: they stay as they are. */
  readonly leaveOut: readonly string[];
  /** The address of the log, whose files stay as they are. Null: there is none. */
  readonly store: string | null;
}

export type BroughtTree =
  /** `changed`: how many paths were written or removed. */
  | { readonly kind: 'exact'; readonly changed: number }
  /** The worktree has other files now. `kept`: paths that could not be brought, and why. */
  | { readonly kind: 'other'; readonly kept: readonly Kept[] };

/**
 * Makes a worktree have exactly the files of a tree, byte for byte, whatever it has now; what captures leave out stays.
 * A second call after a crash finds what is written already. `call`: in a repository that has the tree, and keeps the
 * captures. Throws a `GitError`, and a `WorkspaceError` where the disk refuses.
 *
 * @example
 * await bringTree({ run, directory, top, tree, leaveOut: [], store: null }, { directory: repository, signal });
 */
export async function bringTree(asked: TreeToBring, call: GitCall): Promise<BroughtTree> {
  const { run, top: root, tree, store } = asked;
  const first = await treeNow(asked, call);
  if (first === tree) return { kind: 'exact', changed: 0 };
  const own = await logNames(root, store);
  const names = (await treeChanges(first, tree, call, own)).map(({ name }) => name);
  await removeDrafts(names, { root, run });
  const signatures = new Map<string, string | null>();
  for (const name of names) signatures.set(name, await signatureOf(root, name));
  // What changes from here on is noticed by its signature, and stays.
  const before = await treeNow(asked, call);
  const changes = await treeChanges(before, tree, call, own);
  const steps = changes
    .filter(({ name }) => signatures.has(name))
    .map(({ path, name, before: now, after: next }) => ({ path, name, now, next, isMerged: false }));
  const plan = await withoutObstacles(root, { steps, kept: [], since: [] });
  if (plan.kept.length > 0) return { kind: 'other', kept: plan.kept };
  const late = await withMergedTree(before, plan.steps, call, ({ index }) =>
    withStagedFiles(plan.steps, { ...call, index }, (staged) =>
      writeSteps(plan.steps, { root, staged, run, signatures }),
    ),
  );
  const isExact = late.length === 0 && (await treeNow(asked, call)) === tree;
  return isExact ? { kind: 'exact', changed: plan.steps.length } : { kind: 'other', kept: late };
}

async function treeNow({ run, directory, leaveOut, store }: TreeToBring, { signal }: GitCall): Promise<string> {
  const asked = { run, directory, leaveOut, store, number: null, listsChanges: false };
  const captured = await captureFolder(asked, signal ?? new AbortController().signal);
  if (captured) return captured.hash;
  throw new TypeError(`${directory} is in no git work tree any more`);
}
