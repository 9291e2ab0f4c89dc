import { canonicalText } from './canonical-text.ts';
import type { Json } from './envelope.ts';
import type { EventStore } from './event-store.ts';
import { sha256 } from './sha256.ts';
import type { StoredSnapshot } from './log.ts';

/** 64 bits: what is edited by hand or by a disk does not meet them. */
const HEX_CHARS = 16;
const DIGEST = /#[^#]*#([0-9a-f]+)$/;

/** The mark of an event whose state is stored: with a digest of the whole state behind it. */
export const markWithState = (mark: string | null, state: Json): string | null =>
  mark === null ? null : `${mark}#${digestOf(state)}`;

/**
 * Whether a stored state is the one that was stored, by what its event recorded of it. Null where its event recorded
 * nothing of it: an earlier version of the program stored it.
 */
export function isAsStored({ state }: Pick<StoredSnapshot, 'state'>, mark: string | null | undefined): boolean | null {
  const recorded = DIGEST.exec(mark ?? '')?.[1];
  return recorded === undefined ? null : recorded === digestOf(state);
}

/**
 * Whether the stored state of a run may stand for its events. `untold`: nothing that was recorded vouches for it, as
 * where an earlier version stored it, or where it lies behind an event that stored none.
 */
export async function trustOf(
  log: Pick<EventStore, 'read'>,
  run: string,
  stored: StoredSnapshot,
): Promise<'as-stored' | 'edited' | 'untold'> {
  const { version } = stored;
  for await (const { mark } of log.read(run, { from: version, to: version })) {
    const is = isAsStored(stored, mark);
    if (is !== null) return is ? 'as-stored' : 'edited';
  }
  return 'untold';
}

/** As it is read again: a member without a value is not stored. */
const digestOf = (state: Json): string =>
  sha256(canonicalText(JSON.parse(JSON.stringify(state)) as Json)).slice(0, HEX_CHARS);
