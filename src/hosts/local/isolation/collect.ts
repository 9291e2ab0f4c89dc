import { stat } from 'node:fs/promises';
import { captureFolder } from '../../../actors/workspace/capture-folder.ts';
import { ownBytes } from '../../../actors/workspace/own-bytes.ts';
import { removeWorktree } from '../../../actors/workspace/remove-worktree.ts';
import { runRefs } from '../../../actors/workspace/run-refs.ts';
import { keeperOf } from '../../../actors/workspace/worktree-around.ts';
import { isThere, mainRootOf, type WorktreePlace, worktreesIn } from '../../../actors/worktree-place.ts';
import { recordedWorktrees, type WorktreeRecord } from '../../../actors/workspace/worktree-record.ts';
import { isKnownDead } from '../../../log/holder.ts';
import type { Log } from '../../../log/log.ts';
import { defaultStoreIn } from '../store.ts';
import { knownRun } from './known-run.ts';
import { type Verdict, verdictOn } from './leftover.ts';

/** A worktree of a repository, and whether it is left over. */
export interface LookedAt {
  readonly top: string;
  /** Null: its record cannot be read. */
  readonly run: string | null;
  readonly verdict: Verdict;
  /** What removing it frees, without files that it shares. Null: unknown on this system. */
  readonly bytes: number | null;
}

export interface Collecting {
  /** The top folder of the main worktree. */
  readonly mainRoot: string;
  /** Null: there is none here. */
  readonly log: Log | null;
  /** True: nothing is removed. */
  readonly isDryRun: boolean;
  readonly now: number;
  /** False: how much space is freed is not asked. */
  readonly measures: boolean;
}

/** Removes the worktrees of a repository whose runs are gone, each after a last capture. */
export async function collectWorktrees(collecting: Collecting): Promise<readonly LookedAt[]> {
  const looked: LookedAt[] = [];
  // One after the other: thousands of them must not become thousands of processes.
  for (const { place, record } of await recordedWorktrees(worktreesIn(collecting.mainRoot))) {
    looked.push(await lookAt(place, record, collecting));
  }
  return looked;
}

async function lookAt(
  place: WorktreePlace,
  record: WorktreeRecord | null,
  { log, isDryRun, now, measures }: Collecting,
): Promise<LookedAt> {
  const beside = defaultStoreIn(mainRootOf(place));
  const known = record ? await knownRun(record, { log, beside }) : ({ kind: 'no_log' } as const);
  const isMakerGone = record !== null && isKnownDead(record.by);
  const verdict = verdictOn(record, known, { isMakerGone, ageMs: now - (await changedAt(place, now)), now });
  const about = { top: place.top, run: record?.run ?? null };
  if (verdict.kind === 'keep') return { ...about, verdict, bytes: null };
  const bytes = measures ? await ownBytes(place.top) : null;
  const failure = isDryRun ? null : await removed(place, record);
  if (failure === null) return { ...about, verdict, bytes };
  return { ...about, verdict: { kind: 'keep', because: failure }, bytes: null };
}

/** Null where it was removed; else why not. What a run has changed is captured first. */
async function removed(place: WorktreePlace, record: WorktreeRecord | null): Promise<string | null> {
  try {
    if (record?.state === 'ready' && (await isThere(place.top))) await captureLast(place, record);
    await removeWorktree(place);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function captureLast(place: WorktreePlace, record: WorktreeRecord): Promise<void> {
  const { signal } = new AbortController();
  const { run, store } = record;
  if ((await runRefs(run, { directory: await keeperOf(place, record) })).has('end')) return;
  await captureFolder({ directory: place.top, run, number: 'end', listsChanges: false, store }, signal);
}

const changedAt = ({ top, record }: WorktreePlace, now: number): Promise<number> =>
  stat(top)
    .catch(() => stat(record))
    .then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
