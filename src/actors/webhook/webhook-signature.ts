import { createHmac } from 'node:crypto';

/** Marks a secret that is written as base64. */
const ENCODED = 'whsec_';
/** A shorter key could be guessed. */
const MIN_KEY_BYTES = 16;

/** The form of a secret, as the end of the sentence "expected …". */
export const SECRET_FORM = `a secret: any text, or whsec_ and the base64 of ${MIN_KEY_BYTES} bytes or more`;

/**
 * The key of a secret: the bytes behind `whsec_`, as Standard Webhooks write it, or the text itself. Null: it is no
 * secret.
 */
export function signingKey(secret: string): Uint8Array | null {
  if (!secret.startsWith(ENCODED)) return secret === '' ? null : Buffer.from(secret);
  const encoded = secret.slice(ENCODED.length);
  const key = Buffer.from(encoded, 'base64');
  // Decoding skips what is not base64: only text that the key is written as again was read whole.
  const canonical = key.toString('base64');
  const isWhole = [canonical, canonical.replace(/=+$/, '')].includes(encoded);
  return isWhole && key.length >= MIN_KEY_BYTES ? key : null;
}

/** What one try sends. `timestamp`: seconds since 1970. */
export interface Signed {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks. Without a key there is no signature.
 *
 * @example
 * const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
 * webhookHeaders({ id: 'RUN/3', timestamp: 1_893_456_000, body: '{}' }, key);
 */
export function webhookHeaders(signed: Signed, key: Uint8Array | null): Readonly<Record<string, string>> {
  const { id, timestamp } = signed;
  return {
    'content-type': 'application/json',
    'user-agent': 'loopfold',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(key ? { 'webhook-signature': `v1,${signature(signed, key)}` } : {}),
  };
}

const signature = ({ id, timestamp, body }: Signed, key: Uint8Array): string =>
  createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
