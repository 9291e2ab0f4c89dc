import type { RunSettings } from '../../../../machines/settings.ts';
import { bringPlan, type Kept, withMergedTree } from '../../../git/bring/bring-plan.ts';
import { captureFolder } from '../../../git/capture/capture-folder.ts';
import type { GitCall } from '../../../git/process/git.ts';
import { treeChanges, treeEntries } from '../../../git/tree-change.ts';
import { stateFilesOf } from '../../../text/own-files.ts';

/** The workspace as it is now, with the change. `kept`: paths that have something else in place of it. */
export async function workspaceWith(
  {
    run,
    before,
    tree,
    store,
  }: { readonly run: string; readonly before: string; readonly tree: string; readonly store: string | null },
  settings: RunSettings,
  call: GitCall,
): Promise<{ readonly hash: string; readonly changed: number } | { readonly kept: readonly Kept[] }> {
  const { directory } = settings;
  const asked = { run, directory, leaveOut: stateFilesOf(settings), store, number: null, listsChanges: false };
  const now = await captureFolder(asked, new AbortController().signal);
  if (!now) return { kept: [] };
  const changes = await treeChanges(before, tree, call);
  const { steps, kept } = await bringPlan(changes, { now: await treeEntries(now.hash, call) }, call);
  if (kept.length > 0) return { kept };
  return { hash: await withMergedTree(now.hash, steps, call, async ({ hash }) => hash), changed: steps.length };
}
