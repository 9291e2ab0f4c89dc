import type { RunSettings } from '../../machines/settings.ts';
import { lifeOf, hasEnded } from '../kernel/fold.ts';
import type { Batch } from '../kernel/react.ts';
import type { Envelope } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import { reportsOf } from './reports.ts';

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
