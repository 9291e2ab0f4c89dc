import type { BareEvent, StoredEvent, Unplaced } from './chain.ts';
import type { BareEnvelope } from './event-store.ts';
import type { Envelope, Json } from './envelope.ts';
import { LogError, RESTORE } from './log.ts';
import { blobOf } from './prepare-events.ts';

/** What an engine looks up and names when it turns a stored event back into an envelope. */
export interface Shelf {
  readonly store: string;
  readonly blobText: (sha: string) => string | null;
}

/**
 * The envelope of a stored event, its payload taken from its blob where there is one. Forgotten content is null.
 * `salts`: with what recomputing its hash takes.
 */
export function envelopeOf(stored: StoredEvent, shelf: Shelf, salts = false): Envelope {
  const envelope = envelopeAt(stored, stored.position, payloadOf(stored, shelf));
  return salts ? { ...envelope, ...saltOf(stored) } : envelope;
}

/** The envelope of an event whose position and payload are at hand. */
export function envelopeAt(placed: Unplaced, position: number, payload: Json): Envelope {
  const { run, version, type, schema, at, causation, mark, epoch, hash } = placed;
  return { run, version, position, type, schema, payload, at, causation, mark, epoch, hash };
}

/** As `envelopeOf`, without its place in the store and in its chain. */
export function bareEnvelopeOf(stored: BareEvent, shelf: Shelf): BareEnvelope {
  const { run, version, type, schema, at, causation, mark, epoch } = stored;
  return { run, version, type, schema, payload: payloadOf(stored, shelf), at, causation, mark, epoch };
}

function saltOf({ salt, digest }: StoredEvent): Pick<Envelope, 'salt' | 'digest'> {
  if (salt !== null) return { salt: Buffer.from(salt).toString('hex') };
  return digest === null ? { salt: null } : { salt: null, digest };
}

/** The payload of a stored event, from its blob where there is one. */
export function payloadOf({ run, version, text }: Pick<StoredEvent, 'run' | 'version' | 'text'>, shelf: Shelf): Json {
  if (text === null) return null;
  const sha = blobOf(text);
  const content = sha === null ? text : shelf.blobText(sha);
  try {
    return JSON.parse(content ?? '') as Json;
  } catch (cause) {
    const because = content === null ? `its blob ${sha} is missing` : 'it is no JSON';
    const detail = `the payload of ${run}/${version} cannot be read: ${because}`;
    throw new LogError('damaged', shelf.store, detail, RESTORE, cause);
  }
}
