import type { Envelope, Json } from '../log/envelope.ts';
import type { Fact } from '../log/read-event.ts';
import type { Fields } from './digest.ts';

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
