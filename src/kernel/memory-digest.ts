import canonicalize from 'canonicalize';
import { sha256 } from '../log/hash.ts';
import type { RunState } from './fold.ts';

/** 12 bits of a name and 12 bits of a value, in hex: enough to find a member again, and to see that it differs. */
const HEX_OF_NAME = 3;
const HEX_OF_VALUE = 3;
const PIECES = /[0-9a-f]{6}/g;

/**
 * What a run remembers, as six characters for each member: its pending effects, whether it is paused, and its
 * machine's context. A member that is added to a machine later changes nothing of what was recorded of the others.
 */
export const memoryDigest = (state: Remembering): string => membersOf(state).map(pieceOf).join('');

/**
 * The members of a state whose recorded digest is another one: `context.spend`. Those that only one of the two has are
 * ignored.
 */
export function differingMembers(recorded: string, state: Remembering): string[] {
  const then = new Set(recorded.match(PIECES));
  const known = new Set([...then].map((piece) => piece.slice(0, HEX_OF_NAME)));
  return membersOf(state)
    .filter((member) => known.has(ofName(member.name)) && !then.has(pieceOf(member)))
    .map(({ name }) => name);
}

type Remembering = Pick<RunState, 'snapshot' | 'outstanding' | 'paused'>;

interface Member {
  readonly name: string;
  readonly value: unknown;
}

function membersOf({ snapshot, outstanding, paused }: Remembering): Member[] {
  const pending = outstanding.map(({ effect, key, told }) => (told ? `${effect} ${key} told` : `${effect} ${key}`));
  const context = Object.entries(snapshot.context as Readonly<Record<string, unknown>>);
  return [
    { name: 'pending effects', value: pending.join(', ') },
    { name: 'paused', value: paused },
    ...context.map(([name, value]) => ({ name: `context.${name}`, value })),
  ];
}

/** The newest value of each member: from one decision to the next, most stay the very same. */
const newest = new Map<string, { readonly value: unknown; readonly piece: string }>();
const names = new Map<string, string>();

function pieceOf({ name, value }: Member): string {
  const known = newest.get(name);
  if (known && Object.is(known.value, value)) return known.piece;
  const piece = ofName(name) + sha256(canonicalize(value ?? null) ?? '').slice(0, HEX_OF_VALUE);
  newest.set(name, { value, piece });
  return piece;
}

function ofName(name: string): string {
  const known = names.get(name) ?? sha256(name).slice(0, HEX_OF_NAME);
  names.set(name, known);
  return known;
}
