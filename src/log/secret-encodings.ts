import type { Secret } from './secret-variables.ts';

/**
 * A secret as programs write it: as it is, quoted in JSON, encoded for an address, and in base64, also where it stands
 * in the middle of what was encoded. The letters of base64 that mix it with its neighbours are left out: they hold at
 * most four bits of its first and of its last byte.
 */
export function alsoEncoded({ name, value }: Secret): readonly Secret[] {
  const forms = new Set([value, quoted(value), ...ofAddress(value), ...ALIGNMENTS.flatMap((at) => base64(value, at))]);
  return [...forms].map((form) => ({ name, value: form }));
}

/** How many bytes of a group of three stand before the secret. */
const ALIGNMENTS = [0, 1, 2];
const BITS_OF_BYTE = 8;
const BITS_OF_LETTER = 6;

/** Inside a text that is JSON, a secret may have other characters. */
const quoted = (value: string): string => JSON.stringify(value).slice(1, -1);

/** As a part of a path or query, with what `encodeURIComponent` leaves as it is, and as a form writes it. */
function ofAddress(value: string): readonly string[] {
  // A lone surrogate cannot be encoded.
  if (!value.isWellFormed()) return [];
  const part = encodeURIComponent(value);
  const strict = part.replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  return [part, strict, form].flatMap((one) => [one, one.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())]);
}

function base64(value: string, before: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
  const from = Math.ceil((before * BITS_OF_BYTE) / BITS_OF_LETTER);
  const to = Math.floor((bytes.length * BITS_OF_BYTE) / BITS_OF_LETTER);
  return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
}
