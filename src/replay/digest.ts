import canonicalize from 'canonicalize';
import type { Json } from '../log/envelope.ts';
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
