import type { Envelope, Json } from '../log/envelope.ts';
import type { Fact } from '../log/read-event.ts';
import canonicalize from 'canonicalize';
import { sha256 } from '../log/sha256.ts';
import type { RunState } from '../kernel/fold.ts';

/** The members of a machine's context that the digests cover: those that existed when they were taken. */
export type Fields = { readonly [machine: string]: readonly string[] };

const DIGEST_CHARACTERS = 16;

/** The position, context and pending effects of a run, as a digest of 16 characters. */
export function digestOf({ entry, snapshot, version, paused, outstanding }: RunState, fields: Fields): string {
  const known = fields[entry.id] ?? [];
  const context = Object.fromEntries(
    known.map((field) => [field, (snapshot.context as Record<string, Json>)[field] ?? null]),
  );
  const { value, status } = snapshot;
  const text = canonicalize({ value, status, context, version, paused, outstanding });
  return sha256(String(text)).slice(0, DIGEST_CHARACTERS);
}

/** An event of a recording, and the recorded position after it. An envelope is one. */
export interface Told extends Pick<Envelope, 'run' | 'version' | 'type' | 'schema' | 'payload' | 'at' | 'causation'> {
  readonly mark?: string | null | undefined;
  /** A digest of the whole state. */
  readonly state?: string | undefined;
}

/** A recorded run, and its recorded positions. */
export interface Recording {
  readonly run: string;
  /** In order, a shared prefix included. */
  readonly events: Iterable<Told> | AsyncIterable<Told>;
  /** The ending it was closed with, null while it is open. Absent where it is unknown. */
  readonly closed?: string | null;
  /** Stored states, by version. */
  readonly snapshots?: ReadonlyMap<number, Json>;
  /** False where a file lacks the salts that verifying its chain takes. */
  readonly isVerified?: boolean;
  /** The members that the digests of its events cover. */
  readonly fields?: Fields;
}

/** A recorded event, as it was parsed. */
export interface Heard extends Told {
  readonly event: Fact;
}
