import { freezeState } from '../kernel/fold.ts';
import type { Batch } from '../kernel/react.ts';
import type { Envelope, Json } from '../log/envelope.ts';
import { SNAPSHOT_EVERY_EVENTS, type SnapshotStore } from '../log/log.ts';
import { markWithState } from '../log/state-mark.ts';

/** A batch as it is recorded, and the state to store behind it; null for most batches. */
export interface Storing {
  readonly batch: Batch;
  readonly state: Json | null;
}

/** Every `SNAPSHOT_EVERY_EVENTS` events the state is stored: the last event of that batch has its digest. */
export function storing(batch: Batch, expectedVersion: number): Storing {
  const stored = (version: number) => Math.floor(version / SNAPSHOT_EVERY_EVENTS);
  if (stored(batch.state.version) === stored(expectedVersion)) return { batch, state: null };
  const state = freezeState(batch.state);
  const events = batch.events.map((event, index) =>
    index === batch.events.length - 1 ? { ...event, mark: markWithState(event.mark, state) } : event,
  );
  return { batch: { ...batch, events }, state };
}

/** Stores a state behind the last of its recorded events. */
export async function storeState(
  log: SnapshotStore,
  { state, batch: { state: after } }: Storing,
  envelopes: readonly Envelope[],
): Promise<void> {
  const newest = envelopes.at(-1);
  if (!newest || state === null) return;
  const { run, version, hash } = newest;
  await log.saveSnapshot({ run, version, hash, machine: after.entry.id, state });
}
