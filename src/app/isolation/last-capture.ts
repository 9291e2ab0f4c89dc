import { captureFolder } from '../../git/capture/capture-folder.ts';
import { runRefs } from '../../git/run-refs.ts';
import { keepUncaptured } from '../../git/capture/files-not-captured.ts';
import { keeperOf } from '../../git/worktree/worktree-around.ts';
import { readableRecord, type WorktreeRecord, writeRecord } from '../../git/worktree/worktree-record.ts';
import type { WorktreePlace } from '../../git/worktree/worktree-place.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';

/**
 * Captures a worktree as its run left it, if there is no such capture yet: it is about to be removed. One whose record
 * was lost gets it again. Throws where it cannot be captured.
 */
export async function captureLast(place: WorktreePlace, record: WorktreeRecord): Promise<void> {
  // No run has worked in it yet; or what it had was captured as the change of a candidate, where it was worth that.
  if (record.state === 'making' || record.experiment !== undefined) return;
  const { signal } = new AbortController();
  const { run, store } = record;
  const end = (await runRefs(run, { directory: await keeperOf(place, record) })).get('end');
  if (!(await readableRecord(place))) await writeRecord(place, record);
  const { top: directory } = place;
  const input = { directory, run, number: 'end', listsChanges: false, store } as const;
  const tree = end ?? (await captureFolder(input, signal))?.hash;
  if (tree === undefined) throw new EnvironmentError('no_git', `git finds no work tree at ${directory}`);
  // All files there are of the run: its submodules were empty.
  const { beyond } = await keepUncaptured({ directory, run, tree, since: 0, store });
  if (beyond > 0) {
    const what = `${beyond} files in repositories within it are in no capture. Copy what you need of them`;
    throw new EnvironmentError('no_isolation', `${what}, then remove ${directory} yourself`);
  }
}
