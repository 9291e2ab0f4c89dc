import { type Chained, envelopeHash, FIRST_PREVIOUS_HASH, payloadDigest } from './hash.ts';
import { sha256 } from './sha256.ts';
import type { VerifyResult } from './event-store.ts';
import { blobOf, type Prepared } from './prepare-events.ts';

/** Where a run stands: its last version and that version's hash. */
export interface Head {
  readonly version: number;
  readonly hash: string;
}

export const START: Head = { version: 0, hash: FIRST_PREVIOUS_HASH };

/** An event as a store keeps it. */
export interface StoredEvent extends Chained {
  readonly position: number;
  readonly mark: string | null;
  /** The payload's RFC 8785 text or the reference to its blob; null, like the salt, when it was forgotten. */
  readonly text: string | null;
  readonly salt: Uint8Array | null;
  /** Kept in place of forgotten content. */
  readonly digest: string | null;
  readonly hash: string;
}

/** An event without its place in the store and in its chain. */
export type BareEvent = Omit<StoredEvent, 'position' | 'salt' | 'digest' | 'hash'>;

/** An event on its way into a store, which will say where it lies. */
export type Unplaced = Omit<StoredEvent, 'position'>;

/** Gives prepared events their places behind a head. */
export function chain(head: Head, run: string, epoch: number, events: readonly Prepared[]): Unplaced[] {
  let previous = head.hash;
  return events.map(({ event, text, salt, digest }, index) => {
    const { type, schema, at, causation, mark } = event;
    const version = head.version + index + 1;
    const placed = { run, version, type, schema, at, causation, epoch, mark, text, salt, digest: null, hash: '' };
    previous = envelopeHash(previous, placed, digest);
    placed.hash = previous;
    return placed;
  });
}

/** Why an event does not follow from the head before it, or null when it does. */
export function breakAfter(head: Head, event: StoredEvent, blobText: (sha: string) => string | null): string | null {
  if (event.version !== head.version + 1) return `version ${event.version} follows version ${head.version}`;
  const { text, salt } = event;
  // Payload and salt are forgotten together, and only then is there a digest: else it would vouch for any payload.
  if ((text === null) !== (salt === null))
    return `its ${text === null ? 'payload' : 'salt'} is gone, and the rest is not`;
  if (text !== null && event.digest !== null) return 'it has a digest in the place of a payload that is there';
  const digest = text === null || salt === null ? event.digest : payloadDigest(salt, text);
  if (digest === null) return 'its payload is gone and left no digest';
  if (envelopeHash(head.hash, event, digest) !== event.hash) return 'its hash does not follow from its content';
  return text === null ? null : blobBreak(text, blobText);
}

function blobBreak(text: string, blobText: (sha: string) => string | null): string | null {
  const sha = blobOf(text);
  if (sha === null) return null;
  const content = blobText(sha);
  if (content === null) return `its blob ${sha} is missing`;
  return sha256(content) === sha ? null : `its blob ${sha} has other content`;
}

/** Recomputes a chain from its start, event by event, up to the first one that does not follow. */
export class ChainCheck {
  readonly #blobText: (sha: string) => string | null;
  #head: Head = START;
  #broken: Extract<VerifyResult, { readonly kind: 'broken' }> | null = null;

  constructor(blobText: (sha: string) => string | null) {
    this.#blobText = blobText;
  }

  /** False: this event does not follow, and none after it counts. */
  take(event: StoredEvent): boolean {
    const reason = breakAfter(this.#head, event, this.#blobText);
    if (reason === null) this.#head = event;
    else this.#broken = { kind: 'broken', version: this.#head.version + 1, reason };
    return reason === null;
  }

  get result(): VerifyResult {
    const { version, hash } = this.#head;
    return this.#broken ?? (version === 0 ? { kind: 'unknown_run' } : { kind: 'intact', version, hash });
  }
}

/** Recomputes a whole chain: the head it leads to, or the first event that does not follow. */
export function verifyChain(events: Iterable<StoredEvent>, blobText: (sha: string) => string | null): VerifyResult {
  const check = new ChainCheck(blobText);
  for (const event of events) if (!check.take(event)) break;
  return check.result;
}
