/** A JSON value, and nothing else: no `undefined`, no dates, no class instances. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A fact on its way into the log. */
export interface NewEvent {
  /** `noun.pastParticiple`. */
  readonly type: string;
  /** Version of the payload's schema. */
  readonly schema: number;
  readonly payload: Json;
  /** When it was recorded: RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** What caused it: an effect (`version/n`), an event (`version`), or nothing inside the run. */
  readonly causation: string | null;
  /**
   * The position of the writer's machine after it, as the writer says: `PLACE/EFFECTS PENDING`; after decisions and
   * what is recorded last at once, `#` and a digest of what it remembers. Not part of the hash: it follows from the
   * events, and is kept to be compared with what they lead to today. Null where the writer gave none.
   */
  readonly mark: string | null;
}

/** A fact as recorded: its place in the run and in the store, and the link that chains it to the one before. */
export interface Envelope extends NewEvent {
  /** The run that wrote it (UUIDv7). In a fork's shared prefix this is the original run. */
  readonly run: string;
  /** 1-based and contiguous within a run, the shared prefix of a fork included. */
  readonly version: number;
  /** Its place among all events of the store. Rises, need not be contiguous. */
  readonly position: number;
  /** Fencing token of the writer that recorded it. */
  readonly epoch: number;
  /** SHA-256 of the previous hash and of this envelope, in hex. */
  readonly hash: string;
  /** In hex, where it was asked for: with it the hash can be recomputed. Null where the content was forgotten. */
  readonly salt?: string | null;
  /** Beside a salt that is null: what the forgotten content and its salt led to, in hex. */
  readonly digest?: string;
}
