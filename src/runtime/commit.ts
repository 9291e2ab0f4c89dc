import type { RunSettings } from '../../machines/settings.ts';
import { lifeOf, hasEnded } from '../kernel/fold.ts';
import type { Batch, BatchActivity } from '../kernel/react.ts';
import type { Envelope } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
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

export type Committed =
  | { readonly kind: 'committed'; readonly envelopes: readonly Envelope[] }
  /** Another process owns this run now: stop, and write nothing more. */
  | { readonly kind: 'lost'; readonly detail: string };

export interface Commit {
  readonly log: Pick<EventStore, 'append'>;
  readonly run: string;
  readonly epoch: number;
  readonly expectedVersion: number;
  readonly batch: Batch;
  readonly settings: RunSettings;
  /** The inbox entry that the batch's first event delivers. */
  readonly entry?: number | undefined;
  /** Opens the run as the child of an effect. */
  readonly parentEffect?: string | undefined;
}

/**
 * Makes a batch durable, with what it reports elsewhere: all of it or nothing, before any effect that it asks for
 * starts.
 */
export async function commit({
  log,
  run,
  epoch,
  expectedVersion,
  batch,
  settings,
  entry,
  parentEffect,
}: Commit): Promise<Committed> {
  const reports = reportsOf(run, settings, batch);
  const result = await log.append({
    run,
    events: batch.events,
    expectedVersion,
    epoch,
    ...(entry === undefined ? {} : { delivers: [entry] }),
    ...(reports.length === 0 ? {} : { reports }),
    ...(parentEffect === undefined ? {} : { parentEffect }),
    ...(hasEnded(batch.state) ? { closes: lifeOf(batch.state).outcome?.ending ?? 'abort' } : {}),
  });
  switch (result.kind) {
    case 'appended':
      return { kind: 'committed', envelopes: result.envelopes };
    case 'conflict':
      return { kind: 'lost', detail: `another process wrote version ${result.version}` };
    case 'fenced':
      return { kind: 'lost', detail: `the lease passed on: epoch ${result.epoch} holds it, this writer had ${epoch}` };
    case 'closed':
      return { kind: 'lost', detail: `the run has ended (${result.ending})` };
    case 'duplicate_child':
      return { kind: 'lost', detail: `the effect has opened run ${result.run} before` };
    case 'not_json':
      throw new Error(`${run}: event ${result.index} is not JSON at ${result.path}: found ${result.found}`);
    case 'too_large':
      throw new Error(`${run}: event ${result.index} has ${result.bytes} bytes, the limit is ${result.limitBytes}`);
  }
}
