import { captureFolder } from '../../../actors/workspace/capture-folder.ts';
import { GitError } from '../../../actors/workspace/git.ts';
import { runRefs } from '../../../actors/workspace/run-refs.ts';
import { keeperOf } from '../../../actors/workspace/worktree-around.ts';
import { readableRecord, type WorktreeRecord, writeRecord } from '../../../actors/workspace/worktree-record.ts';
import type { WorktreePlace } from '../../../actors/worktree-place.ts';

/**
 * Captures a worktree as its run left it, if there is no such capture yet: it is about to be removed. One whose record
 * was lost gets it again. Throws where it cannot be captured.
 */
export async function captureLast(place: WorktreePlace, record: WorktreeRecord): Promise<void> {
  // No run has worked in it yet.
  if (record.state === 'making') return;
  const { signal } = new AbortController();
  const { run, store } = record;
  if ((await runRefs(run, { directory: await keeperOf(place, record) })).has('end')) return;
  if (!(await readableRecord(place))) await writeRecord(place, record);
  const captured = await captureFolder(
    { directory: place.top, run, number: 'end', listsChanges: false, store },
    signal,
  );
  if (!captured) throw new GitError('git_failed', 'rev-parse', `${record.repository} is in no state to keep a capture`);
}
