import type { Json } from './envelope.ts';
import { alsoEncoded, MIN_SECRET_CHARACTERS, type Secret } from './secret-variables.ts';
import { atGaps, hasGap } from './gap.ts';
import { wordReplacer } from './word-search.ts';
import { unwrapped } from './unwrap-base64.ts';

/** Less than this of a secret, where a text was cut, gives nothing away. */
const MIN_PIECE_CHARACTERS = 4;

/**
 * Keys whose form gives them away. Every repetition has an end or takes all it can, so that no text is slow to search.
 */
const FORMS: readonly (readonly [name: string, form: string])[] = [
  ['anthropic key', String.raw`\bsk-ant-[A-Za-z0-9_-]{16,}`],
  ['api key', String.raw`\bsk-(?=[A-Za-z_-]{0,64}\d)[A-Za-z0-9_-]{20,}`],
  ['google key', String.raw`\bAIza[0-9A-Za-z_-]{35}`],
  ['github token', String.raw`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})`],
  ['gitlab token', String.raw`\bglpat-[A-Za-z0-9_-]{20,}`],
  ['npm token', String.raw`\bnpm_[A-Za-z0-9]{36}`],
  ['hugging face token', String.raw`\bhf_[A-Za-z0-9]{30,}`],
  ['slack token', String.raw`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`],
  ['aws key', String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`],
  ['json web token', String.raw`\beyJ[A-Za-z0-9_-]{10,1024}\.eyJ[A-Za-z0-9_-]{10,1024}\.[A-Za-z0-9_-]{10,1024}`],
  [
    'private key',
    String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\:,]{0,16384}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?`,
  ],
];

const ANY_FORM = new RegExp(FORMS.map(([, form], index) => `(?<form${index}>${form})`).join('|'), 'g');

/**
 * The form of the vocabulary's own names. They are never redacted, so that an event stays readable if a password is
 * one.
 */
const PLAIN_WORD = /^[a-z_]+$/;

/**
 * Takes secrets out of what is to be recorded: `[redacted NAME]` stands in their place, in texts and in the names of
 * members, also where they are quoted as JSON, encoded for an address or in base64. The same stands for what is left
 * of them where a text was cut. A text that is nothing but a secret in plain small letters stays: it cannot be told
 * from a word of ours.
 *
 * @example
 * const redact = redactor(secretsIn(process.env));
 * const payload = redact({ output: 'OPENAI_API_KEY=sk-proj-0123456789abcdefghij' });
 */
export function redactor(secrets: readonly Secret[]): (json: Json) => Json {
  const known = secrets.filter(({ value }) => value.length >= MIN_SECRET_CHARACTERS).flatMap(alsoEncoded);
  // The longest first: one secret may begin with another.
  const byLength = known.toSorted((one, other) => other.value.length - one.value.length);
  const names = new Map(byLength.toReversed().map(({ name, value }) => [value, name]));
  const withoutKnown = wordReplacer([...names.keys()], (word) => `[redacted ${names.get(word)}]`);
  const replaced = (text: string): string =>
    withoutKnown(text).replace(ANY_FORM, (...match: unknown[]) => `[redacted ${formName(match.at(-1))}]`);
  const clean = (text: string): string => {
    if (text.length < MIN_SECRET_CHARACTERS || PLAIN_WORD.test(text)) return text;
    const whole = unwrapped(replaced(text), replaced);
    if (!hasGap(whole)) return whole;
    return atGaps(whole, {
      end: (head) => withoutBeginning(head, byLength),
      start: (tail) => withoutEnd(tail, byLength),
    });
  };
  return (json) => cleaned(json, clean);
}

/** A head without the beginning of a secret that it ends with. */
function withoutBeginning(head: string, secrets: readonly Secret[]): string {
  for (const { name, value } of secrets) {
    const piece = pieceOf(
      value,
      (length) => value.slice(0, length),
      (one) => head.endsWith(one),
    );
    if (piece) return `${head.slice(0, -piece.length)}[redacted ${name}]`;
  }
  return head;
}

/** A tail without the end of a secret that it begins with. */
function withoutEnd(tail: string, secrets: readonly Secret[]): string {
  for (const { name, value } of secrets) {
    const piece = pieceOf(
      value,
      (length) => value.slice(-length),
      (one) => tail.startsWith(one),
    );
    if (piece) return `[redacted ${name}]${tail.slice(piece.length)}`;
  }
  return tail;
}

/** The longest piece of a secret that is there. */
function pieceOf(value: string, cut: (length: number) => string, isThere: (piece: string) => boolean): string | null {
  for (let length = value.length - 1; length >= MIN_PIECE_CHARACTERS; length -= 1) {
    const piece = cut(length);
    if (isThere(piece)) return piece;
  }
  return null;
}

function formName(groups: unknown): string {
  const found = Object.entries(groups as { [group: string]: string | undefined }).find(
    ([, text]) => text !== undefined,
  );
  return FORMS[Number(found?.[0].slice('form'.length))]?.[0] ?? 'secret';
}

/** The same value where nothing was found in it, so that most payloads cost no memory. Each part is cleaned once. */
function cleaned(json: Json, clean: (text: string) => string): Json {
  if (typeof json === 'string') return clean(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return cleanedItems(json, clean);
  const members = json as { readonly [key: string]: Json };
  let changed: [string, Json][] | null = null;
  let seen = 0;
  for (const key in members) {
    const before = members[key] ?? null;
    const [name, value] = [clean(key), cleaned(before, clean)];
    if (name !== key || value !== before) changed ??= Object.entries(members).slice(0, seen);
    changed?.push([name, value]);
    seen += 1;
  }
  return changed ? Object.fromEntries(changed) : json;
}

function cleanedItems(items: readonly Json[], clean: (text: string) => string): Json {
  let changed: Json[] | null = null;
  for (const [index, before] of items.entries()) {
    const value = cleaned(before, clean);
    if (value !== before) changed ??= items.slice(0, index);
    changed?.push(value);
  }
  return changed ?? items;
}
