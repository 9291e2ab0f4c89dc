import { Cron } from 'croner';
import type { ScheduleRule } from './trigger-rules.ts';

/** Later than this, a time has passed: the machine was suspended, or the last run took long to begin. */
const LATE_MS = 60_000;
/** More times than this are not counted. */
const MAX_COUNTED = 1_000;

export interface ScheduleHost {
  /** Begins a run, and returns its id. */
  readonly begin: () => Promise<string>;
  readonly say: (line: string) => void;
}

/**
 * Begins a run each time that the cron text of a rule names. Times that were slept through, and those at which the
 * last run has not begun yet, begin one run together as soon as that can be. Throws a `TypeError` where the text cannot
 * be read.
 */
export function scheduleClock({ cron }: Pick<ScheduleRule, 'cron'>, { begin, say }: ScheduleHost): Cron {
  const tell = (line: string) => say(`schedule ${cron}: ${line}`);
  /** The next time, as it was known before. */
  let due: Date | null = null;
  const clock = new Cron(cron, { protect: true, unref: true }, async () => {
    const now = new Date();
    const missed = due && now.getTime() - due.getTime() > LATE_MS ? timesBetween(clock, due, now) : 0;
    const since = `${missed} of its times have passed without a run, since ${due?.toISOString()}`;
    if (missed > 0) tell(`${since}: the machine slept, or the last run took long to begin; one run begins now`);
    due = clock.nextRun();
    tell(`run ${await begin().catch((error: unknown) => `none: ${messageOf(error)}`)}`);
  });
  due = clock.nextRun();
  return clock;
}

/** How many times lie between the first, which counts, and now. */
function timesBetween(clock: Cron, first: Date, now: Date): number {
  let count = 0;
  for (let at: Date | null = first; at && at <= now && count < MAX_COUNTED; at = clock.nextRun(at)) count += 1;
  return count;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
