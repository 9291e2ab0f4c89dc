import type { RunSettings } from '../../machines/settings.ts';
import type { Batch, BatchActivity } from '../kernel/react.ts';
import type { NewReport } from '../log/outbox-store.ts';
import { head } from '../text/excerpt.ts';

/** The most characters of the reason in a report. */
const MAX_REASON_CHARS = 2_000;

/** What a report tells its receiver. Programs outside rely on its members. */
export interface ReportBody {
  /** `loop.` and the status. */
  readonly type: string;
  readonly run: string;
  readonly loop: string;
  readonly label: string | null;
  readonly status: BatchActivity['status'];
  readonly iteration: number;
  readonly maxIterations: number | null;
  readonly reason: string;
  /** When it was recorded: RFC 3339. */
  readonly at: string;
}

/**
 * What a batch reports elsewhere: its activities, for each webhook that wants their status. Only the run at the top of
 * a tree reports.
 */
export function reportsOf(run: string, settings: RunSettings, { activities }: Batch): readonly NewReport[] {
  const { webhooks = [], parent } = settings;
  if (parent) return [];
  return activities.flatMap((activity) =>
    webhooks
      .filter(({ statuses }) => statuses.includes(activity.status))
      .map(({ url, secretVariable }) => {
        const body = JSON.stringify(bodyOf(run, settings, activity));
        return { version: activity.version, url, secretVariable, body };
      }),
  );
}

/** What the report of an activity says. */
export function bodyOf(run: string, { loop }: RunSettings, activity: BatchActivity): ReportBody {
  const { label, status, iteration, maxIterations, reason, at } = activity;
  const [type, why] = [`loop.${status}`, head(reason, MAX_REASON_CHARS)];
  return { type, run, loop, label, status, iteration, maxIterations, reason: why, at };
}
