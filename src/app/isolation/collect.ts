import { readdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { validate as isUuid } from 'uuid';
import { ownBytes, removeWorktree } from '../../git/worktree/remove-worktree.ts';
import { isThere, mainRootOf, type WorktreePlace, worktreesIn } from '../../git/worktree/worktree-place.ts';
import { readableRecord, worktreePlaces, type WorktreeRecord } from '../../git/worktree/worktree-record.ts';
import { isKnownDead } from '../../log/holder.ts';
import type { Log } from '../../log/log.ts';
import { defaultStoreIn } from '../store-place.ts';
import { knownByName, knownRun, type OtherLogs, withOtherLogs } from './run-by-name.ts';
import { captureLast } from './last-capture.ts';
import { type Verdict, verdictOn } from './leftover.ts';

/** A worktree of a repository, and whether it is left over. */
export interface LookedAt {
  readonly top: string;
  /** Null: it has no record that can be read, and its name is no run's. */
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
  const places = await worktreePlaces(worktreesIn(collecting.mainRoot));
  return withOtherLogs(async (others) => {
    const looked: LookedAt[] = [];
    // One after the other: thousands of them must not become thousands of processes.
    for (const place of places) looked.push(await lookAt(place, collecting, others));
    return looked;
  });
}

async function lookAt(place: WorktreePlace, collecting: Collecting, others: OtherLogs): Promise<LookedAt> {
  const { isDryRun, measures } = collecting;
  const { record, run, verdict } = await judged(place, collecting, others);
  const about = { top: place.top, run };
  if (verdict.kind === 'keep') return { ...about, verdict, bytes: null };
  const bytes = measures ? await ownBytes(place.top) : null;
  const failure = isDryRun ? null : await removed(place, record, collecting);
  if (failure === null) return { ...about, verdict, bytes };
  return { ...about, verdict: { kind: 'keep', because: failure }, bytes: null };
}

interface Judged {
  /** Null: there is none, and none can be made again. */
  readonly record: WorktreeRecord | null;
  readonly run: string | null;
  readonly verdict: Verdict;
}

async function judged(place: WorktreePlace, { log, now }: Collecting, others: OtherLogs): Promise<Judged> {
  const logs = { log, beside: defaultStoreIn(mainRootOf(place)), others };
  const record = await readableRecord(place);
  const known = await (record ? knownRun(record, logs) : knownByName(place.top, logs));
  const isMakerGone = record !== null && isKnownDead(record.by);
  const folder = record ? NOT_ASKED : await lookedInto(place, now);
  const verdict = verdictOn(record, known, { isMakerGone, now, ...folder });
  const own = record ?? (known.kind === 'known' ? known.rebuilt : null) ?? null;
  const named = basename(place.top);
  return { record: own, run: own?.run ?? (isUuid(named) ? named : null), verdict };
}

/** Null where it was removed; else why not. What a run has changed is captured first. */
async function removed(
  place: WorktreePlace,
  record: WorktreeRecord | null,
  collecting: Collecting,
): Promise<string | null> {
  try {
    if (record && (await isThere(place.top))) await captureLast(place, record);
    // Another process may have taken it over while it was measured and captured, or moved its log.
    const { verdict } = await withOtherLogs((others) => judged(place, collecting, others));
    if (verdict.kind === 'keep') return verdict.because;
    await removeWorktree(place);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Of a worktree with a record, the folder says nothing. */
const NOT_ASKED = { ageMs: 0, isEmpty: false };

const lookedInto = async (place: WorktreePlace, now: number) => ({
  ageMs: now - (await changedAt(place, now)),
  isEmpty: await isEmpty(place.top),
});

/** What cannot be listed is taken for full. */
const isEmpty = (top: string): Promise<boolean> =>
  readdir(top).then(
    (entries) => entries.length === 0,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );

const changedAt = ({ top, record }: WorktreePlace, now: number): Promise<number> =>
  stat(top)
    .catch(() => stat(record))
    .then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
