import { randomBytes } from 'node:crypto';
import type { Envelope } from './envelope.ts';
import { sha256 } from './sha256.ts';

/** What stands before version 1. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64);
export const SALT_BYTES = 16;

/**
 * The part of an envelope that its hash covers, besides the payload's digest. Its place in the store may change; a mark
 * follows from the rest.
 */
export type Chained = Omit<Envelope, 'payload' | 'position' | 'mark' | 'hash' | 'salt' | 'digest'>;

const SALTS_AT_ONCE = 256;
let salts = Buffer.alloc(0);

/** Drawn many at once: asking for random bytes costs more than all the rest of an event's hash. */
export function newSalt(): Buffer {
  if (salts.length === 0) salts = randomBytes(SALT_BYTES * SALTS_AT_ONCE);
  const salt = salts.subarray(0, SALT_BYTES);
  salts = salts.subarray(SALT_BYTES);
  return salt;
}

/** SHA-256 of the salt and the payload's RFC 8785 text, in hex. It stays when payload and salt are forgotten. */
export function payloadDigest(salt: Uint8Array, canonicalPayload: string): string {
  joined.set(salt);
  return hashBehind(salt.length, canonicalPayload);
}

/** SHA-256 of the previous hash and of the envelope in RFC 8785, its payload replaced by the digest; all in hex. */
export const envelopeHash = (previous: string, envelope: Chained, digest: string): string =>
  hashBehind(joined.write(previous, 'hex'), chainedText(envelope, digest));

/** Where short contents are put together, without taking memory for each. */
const joined = Buffer.alloc(8_192);
/** No character takes more in UTF-8, for each of its UTF-16 units. */
const MAX_BYTES_OF_UNIT = 3;

/** The hash of the first bytes of `joined`, and of a text behind them. */
function hashBehind(bytes: number, text: string): string {
  if (bytes + text.length * MAX_BYTES_OF_UNIT > joined.length)
    return sha256(Buffer.concat([joined.subarray(0, bytes), Buffer.from(text)]));
  return sha256(joined.subarray(0, bytes + joined.write(text, bytes)));
}

/** Written out, because the members are known and already in RFC 8785 order. */
export function chainedText(envelope: Chained, digest: string): string {
  const { at, causation, epoch, run, schema, type, version } = envelope;
  return (
    `{"at":${JSON.stringify(at)},"causation":${JSON.stringify(causation)},"epoch":${epoch},"payload":"${digest}",` +
    `"run":${JSON.stringify(run)},"schema":${schema},"type":${JSON.stringify(type)},"version":${version}}`
  );
}
