import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { Envelope, Json } from '../log/envelope.ts';
import type { Fields } from './digest.ts';

/** An event of a recording, and what was said of the state that it led to. An envelope is one. */
export interface Told extends Pick<Envelope, 'run' | 'version' | 'type' | 'payload' | 'at' | 'causation'> {
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
  /** Nobody has looked yet whether its events carry what such events do: it comes from a file. */
  readonly isUnparsed?: boolean;
}

/** Everything was parsed before it was recorded, or is by `misfitOf`. */
export const eventOf = (told: Told): Recorded<LoopEvent> => told as unknown as Recorded<LoopEvent>;

export const startOf = (told: Told): Recorded<EventOf<'run.started'>> => told as unknown as Recorded<EventOf<'run.started'>>;
