import { sha256 } from '../log/sha256.ts';
import type { RunState } from './fold.ts';
import { rememberedText } from './memory-text.ts';

/** 12 bits of a name and 12 bits of a value, in hex: enough to find a member again, and to see that it differs. */
const HEX_OF_NAME = 3;
const HEX_OF_VALUE = 3;
const PIECES = /[0-9a-f]{6}/g;

/**
 * What a run remembers, as six characters for each member: its pending effects, whether it is paused, and its
 * machine's context. A member that is added to a machine later changes nothing of what was recorded of the others.
 */
export function memoryDigest({ snapshot, outstanding, paused }: Remembering): string {
  const context = snapshot.context as Readonly<Record<string, unknown>>;
  let digest = pieceOf(PENDING, pendingText(outstanding)) + pieceOf(PAUSED, paused);
  for (const field of Object.keys(context)) digest += pieceOf(memberOf(field), context[field]);
  return digest;
}

/**
 * The members of a state whose recorded digest is another one: `context.spend`. Those that only one of the two has are
 * ignored.
 */
export function differingMembers(recorded: string, state: Remembering): string[] {
  if (recorded === memoryDigest(state)) return [];
  const then = new Set(recorded.match(PIECES));
  const known = new Set([...then].map((piece) => piece.slice(0, HEX_OF_NAME)));
  const { snapshot, outstanding, paused } = state;
  const context = Object.entries(snapshot.context as Readonly<Record<string, unknown>>);
  const members: (readonly [Member, unknown])[] = [
    [PENDING, pendingText(outstanding)],
    [PAUSED, paused],
    ...context.map(([field, value]) => [memberOf(field), value] as const),
  ];
  return members
    .filter(([member, value]) => known.has(member.hex) && !then.has(pieceOf(member, value)))
    .map(([{ name }]) => name);
}

type Remembering = Pick<RunState, 'snapshot' | 'outstanding' | 'paused'>;

/** A member of what is remembered, with its newest value: from one decision to the next, most stay the very same. */
interface Member {
  readonly name: string;
  readonly hex: string;
  newest: unknown;
  piece: string | null;
}

const memberNamed = (name: string): Member => ({
  name,
  hex: sha256(name).slice(0, HEX_OF_NAME),
  newest: undefined,
  piece: null,
});

const PENDING = memberNamed('pending effects');
const PAUSED = memberNamed('paused');

/** By the fields of contexts. */
const members = new Map<string, Member>();

function memberOf(field: string): Member {
  let member = members.get(field);
  if (!member) {
    member = memberNamed(`context.${field}`);
    members.set(field, member);
  }
  return member;
}

const pendingText = (outstanding: Remembering['outstanding']): string =>
  outstanding.map(({ effect, key, told }) => (told ? `${effect} ${key} told` : `${effect} ${key}`)).join(', ');

/** The digests of objects in contexts, which never change: several runs take turns in one process. */
const ofObjects = new WeakMap<object, string>();

function pieceOf(member: Member, value: unknown): string {
  if (member.piece !== null && Object.is(member.newest, value)) return member.piece;
  const piece = member.hex + digestOf(value);
  member.newest = value;
  member.piece = piece;
  return piece;
}

function digestOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return digestOfText(rememberedText(value));
  let digest = ofObjects.get(value);
  if (digest === undefined) {
    digest = digestOfText(rememberedText(value));
    ofObjects.set(value, digest);
  }
  return digest;
}

/** Counters, times and empty lists come again and again. */
const ofTexts = new Map<string, string>();
const MAX_TEXTS = 4_096;
const MAX_CHARS = 48;

function digestOfText(text: string): string {
  if (text.length > MAX_CHARS) return hashOf(text);
  let digest = ofTexts.get(text);
  if (digest === undefined) {
    digest = hashOf(text);
    if (ofTexts.size === MAX_TEXTS) ofTexts.clear();
    ofTexts.set(text, digest);
  }
  return digest;
}

const hashOf = (text: string): string => sha256(text).slice(0, HEX_OF_VALUE);
