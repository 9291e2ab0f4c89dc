import { breakAfter, type Head, type StoredEvent, type Unplaced } from './chain.ts';
import type { Envelope } from './envelope.ts';
import type { RunRecord } from './event-store.ts';
import { type Blob, storedText } from './prepare-events.ts';

/** The part of a log that takes runs over from another log, as they are there: with hashes, epochs and marks. */
export interface CopyStore {
  /**
   * Takes the next events of a run, which it opens where it does not have it. `events`: those that the run wrote
   * itself, read with salts, behind what is here already; in one transaction. A run that it has otherwise is refused.
   */
  adopt(run: CopiedRun, events: readonly Envelope[]): Promise<Adopted>;
}

/** The facts of a run that a copy has besides its events. `closed`: only with its last ones. */
export type CopiedRun = Pick<RunRecord, 'run' | 'root' | 'parentEffect' | 'forkedFrom' | 'createdAt' | 'closed'>;

export type Adopted = { readonly kind: 'adopted' } | { readonly kind: 'refused'; readonly because: string };

/** An event on its way into another store, with what that keeps beside it. */
export interface CopiedEvent {
  readonly event: Unplaced;
  readonly blob: Blob | null;
}

/** An event as a store keeps it, made of an envelope with its salt: its text follows from its payload. */
export function copiedEvent({ position: _, payload, salt = null, ...facts }: Envelope): CopiedEvent {
  const { digest = null, ...chained } = facts;
  if (salt === null) return { event: { ...chained, text: null, salt: null, digest }, blob: null };
  const { text, blob } = storedText(payload);
  return { event: { ...chained, text, salt: Buffer.from(salt, 'hex'), digest: null }, blob };
}

/** Says why events do not follow from a head, each from the one before; null where they do. */
export function faultBehind(head: Head, events: readonly CopiedEvent[]): string | null {
  let before = head;
  for (const { event, blob } of events) {
    const stored: StoredEvent = { ...event, position: 0 };
    const fault = breakAfter(before, stored, (sha) => (blob?.sha256 === sha ? blob.text : null));
    if (fault !== null) return `version ${event.version} does not follow from what is there: ${fault}`;
    before = event;
  }
  return null;
}

export const refusedCopy = (because: string): Adopted => ({ kind: 'refused', because });
