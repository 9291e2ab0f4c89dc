import type { StoredEvent } from './chain.ts';
import type { Envelope, Json } from './envelope.ts';
import { LogError } from './errors.ts';
import { blobOf } from './prepared.ts';

/** What an engine looks up and names when it turns a stored event back into an envelope. */
export interface Shelf {
  readonly store: string;
  readonly blobText: (sha: string) => string | null;
}

/** The envelope of a stored event, its payload taken from its blob where there is one. Forgotten content is null. */
export function envelopeOf(stored: StoredEvent, shelf: Shelf): Envelope {
  const { run, version, position, type, schema, at, causation, mark, epoch, hash } = stored;
  return { run, version, position, type, schema, payload: payloadOf(stored, shelf), at, causation, mark, epoch, hash };
}

function payloadOf({ run, version, text }: StoredEvent, shelf: Shelf): Json {
  if (text === null) return null;
  const sha = blobOf(text);
  const content = sha === null ? text : shelf.blobText(sha);
  try {
    if (content === null) throw new Error(`the blob ${sha} is missing`);
    return JSON.parse(content) as Json;
  } catch (cause) {
    const remedy = 'Restore the store from a copy; nothing in it was changed.';
    throw new LogError('damaged', shelf.store, `the payload of ${run}/${version} cannot be read`, remedy, cause);
  }
}
