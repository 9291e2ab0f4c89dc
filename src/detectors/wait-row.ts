import { formatDuration } from '../text/duration.ts';
import { noticedAt } from './notice.ts';
import type { Observed } from './observation.ts';
import { withEvidence } from './evidence-ids.ts';

/** Waits in a row that brought no news, whatever lay between that brought none either. */
export interface WaitingRow {
  readonly ms: number;
  /** When the first of them was over, in milliseconds since 1970. Null: unknown. */
  readonly since: number | null;
  /**
   * The number of waits, and how long the row lasted with the last of them, in milliseconds: what its calls say, or the
   * time that has passed, whichever is longer.
   */
  readonly count: number;
  readonly reachedMs: number;
  /** Looks in a row without any pause, so that their number is all that is known. */
  readonly looks: number;
  readonly evidence: readonly string[];
}

export const NO_WAIT: WaitingRow = { ms: 0, since: null, count: 0, reachedMs: 0, looks: 0, evidence: [] };

const MAX_EVIDENCE = 20;

/** The row with one more wait. `at`: when that was over, as an ISO time. */
export function waitedLonger(row: WaitingRow, { waitedMs, evidence }: Observed, at: string | undefined): WaitingRow {
  const parsed = Date.parse(at ?? '');
  const now = Number.isNaN(parsed) ? null : parsed;
  const ms = row.ms + waitedMs;
  const since = row.since ?? (now === null ? null : now - waitedMs);
  const passedMs = since === null || now === null ? 0 : now - since;
  return {
    ms,
    since,
    count: row.count + 1,
    // Also where a clock was set back between.
    reachedMs: Math.max(row.reachedMs, ms, passedMs),
    looks: waitedMs > 0 ? 0 : row.looks + 1,
    evidence: withEvidence(row.evidence, evidence[0], MAX_EVIDENCE),
  };
}

/** The bounds of waiting: by its time, and of looks without any pause by their number. */
export interface WaitingBounds {
  readonly waitNudgeMs: number;
  readonly waitStopMs: number;
  readonly nudgeLooks: number;
  readonly stopLooks: number;
}

const MINUTE_MS = 60_000;

/** Reports a row that has grown to a bound, and how long it has waited. */
export function waitedTooLong(
  row: WaitingRow,
  before: WaitingRow,
  bounds: WaitingBounds,
): ReturnType<typeof noticedAt> {
  if (row === before) return {};
  const [ms, earlierMs] = [row.reachedMs, before.reachedMs];
  const isStop = ms >= bounds.waitStopMs || row.looks >= bounds.stopLooks;
  const isNudge =
    (earlierMs < bounds.waitNudgeMs && ms >= bounds.waitNudgeMs) ||
    (row.looks === bounds.nudgeLooks && row.looks > before.looks);
  if (!isStop && !isNudge) return {};
  const looks = `${row.looks} looks in a row without a pause`;
  const time = `waited for ${formatDuration(ms < MINUTE_MS ? ms : Math.floor(ms / MINUTE_MS) * MINUTE_MS)}`;
  const isByTime = ms >= (isStop ? bounds.waitStopMs : bounds.waitNudgeMs);
  const message = `${isByTime ? time : looks}, and nothing has changed`;
  const found = { detector: 'no-progress', count: row.count, message, evidence: row.evidence };
  return noticedAt(isStop ? 'stop' : 'nudge', found, {});
}
