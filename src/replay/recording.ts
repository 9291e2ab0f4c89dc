import type { Envelope, Json } from '../log/envelope.ts';
import type { Fact } from '../log/read-event.ts';
import type { Fields } from './digest.ts';

/** An event of a recording, and what was said of the state that it led to. An envelope is one. */
export interface Told extends Pick<Envelope, 'run' | 'version' | 'type' | 'schema' | 'payload' | 'at' | 'causation'> {
  readonly mark?: string | null | undefined;
  /** A digest of the whole state. */
  readonly state?: string | undefined;
}

/** A run as it was recorded, and all that is known of where it stood. */
export interface Recording {
  readonly run: string;
  /** In order, a shared prefix included. */
  readonly events: Iterable<Told> | AsyncIterable<Told>;
  /** The ending it was closed with, null while it is open. Absent where nobody said. */
  readonly closed?: string | null;
  /** States as they were stored, by version. */
  readonly snapshots?: ReadonlyMap<number, Json>;
  /** What the digests of its events speak of. */
  readonly fields?: Fields;
}

/** What was told, as the event that it was read as. */
export interface Heard extends Told {
  readonly event: Fact;
}
