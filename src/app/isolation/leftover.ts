import type { WorktreeRecord } from '../../git/worktree/worktree-record.ts';

/** What is known of the run that a worktree belongs to. */
export type KnownRun =
  /** `isContinued`: a run that continues it is open. `updatedMs`: when its newest event was recorded. */
  | {
      readonly kind: 'known';
      readonly isClosed: boolean;
      readonly isContinued: boolean;
      readonly updatedMs: number;
      /** Of a worktree without a record: what its run has recorded of it. Null: nothing of this one. */
      readonly rebuilt?: WorktreeRecord | null;
    }
  | { readonly kind: 'unknown_run' }
  /** The log that would have it was in the memory of a process. */
  | { readonly kind: 'no_log' }
  /** There is no log at this path, or a later one, and no other has the run: the log was deleted, or moved. */
  | { readonly kind: 'lost_log'; readonly store: string }
  /** The log is there, and cannot be read. */
  | { readonly kind: 'unreadable'; readonly reason: string };

export type Verdict =
  | { readonly kind: 'remove'; readonly because: string }
  | { readonly kind: 'keep'; readonly because: string };

/** A worktree without a readable record or a file is removed after this time: a process may be about to write it. */
export const DAMAGED_RECORD_KEPT_MS = 3_600_000;

/** How long the process of a run that has ended may take to leave its worktree: it captures and removes it itself. */
export const LEAVING_MS = 600_000;

/** A worktree whose log is not where it was is removed so long after its last use: the log may have been moved. */
export const LOST_LOG_KEPT_MS = 7 * 24 * 3_600_000;

const MAYBE_LEAVING =
  'its run has ended, and its record, which names the process that may be leaving it, is lost or damaged: ' +
  `it is kept for ${LEAVING_MS / 60_000} minutes after the end`;

interface Surroundings {
  /** The process that made the worktree, or used it last, is known to be dead. */
  readonly isMakerGone: boolean;
  readonly ageMs: number;
  /** There is no file in its folder. */
  readonly isEmpty: boolean;
  readonly now: number;
}

const remove = (because: string): Verdict => ({ kind: 'remove', because });
const keep = (because: string): Verdict => ({ kind: 'keep', because });

/** Whether a worktree is left over. Nothing of a run that is live, or that can be resumed, ever is. */
export function verdictOn(record: WorktreeRecord | null, known: KnownRun, surroundings: Surroundings): Verdict {
  const { isMakerGone, now } = surroundings;
  if (record === null) return verdictWithoutRecord(known, surroundings);
  switch (known.kind) {
    case 'known':
      if (!known.isClosed) return keep('its run can be resumed');
      if (known.isContinued) return keep('a run that continues it can be resumed');
      if (!isMakerGone && record.state === 'making') return keep('a process is making it');
      if (!isMakerGone && now - Math.max(known.updatedMs, Date.parse(record.since)) < LEAVING_MS)
        return keep('the process of its run is leaving it');
      return remove('its run has ended');
    case 'unreadable':
      return keep(`its log cannot be read: ${known.reason}`);
    case 'unknown_run':
      return isMakerGone ? remove('its run never began') : keep('its run is about to begin');
    case 'no_log':
      return isMakerGone ? remove('its log is gone') : keep('the process that made it is running');
    case 'lost_log':
      if (!isMakerGone) return keep('the process that made it is running');
      if (now - Date.parse(record.since) > LOST_LOG_KEPT_MS) return remove('its log is gone');
      return keep(
        `no log has its run: ${known.store} is not there any more, or is a later one. If you have moved that log, name it with --log. ` +
          `Without a log it is removed ${LOST_LOG_KEPT_MS / 86_400_000} days after its last use`,
      );
  }
}

/** Only what a log knows to have ended is removed: that a run is unknown here says nothing of other logs. */
function verdictWithoutRecord(known: KnownRun, { ageMs, isEmpty, now }: Surroundings): Verdict {
  if (isEmpty) return ageMs > DAMAGED_RECORD_KEPT_MS ? remove('it has no record') : keep('it has no record yet');
  switch (known.kind) {
    case 'known':
      if (!known.isClosed) return keep('its run can be resumed');
      if (known.isContinued) return keep('a run that continues it can be resumed');
      if (now - known.updatedMs < LEAVING_MS) return keep(MAYBE_LEAVING);
      return known.rebuilt ? remove('its run has ended') : keep('it has no record, and its run worked elsewhere');
    case 'unreadable':
      return keep(`its log cannot be read: ${known.reason}`);
    case 'unknown_run':
    case 'no_log':
    case 'lost_log':
      return keep(
        'it has no record that can be read, and no log here has its run. Name the log that has it with --log; ' +
          'or remove the folder yourself if you need nothing in it',
      );
  }
}
