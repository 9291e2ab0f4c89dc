import type { Json } from './envelope.ts';
import { atGaps } from './gap.ts';

/** A value that must not be written down, and the name that stands for it. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** A shorter value is as likely a common word as a secret. */
const MIN_SECRET_CHARACTERS = 8;
/** Less than this of a secret, where a text was cut, gives nothing away. */
const MIN_PIECE_CHARACTERS = 4;
const SECRET_VARIABLE = /(^|_)(API_?KEY|ACCESS_KEY|PRIVATE_KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)$/i;

/** The secrets that an environment holds: by the names of its variables, and those named beside. */
export function secretsIn(
  environment: { readonly [variable: string]: string | undefined },
  named: readonly string[] = [],
): readonly Secret[] {
  const isSecret = (variable: string) => SECRET_VARIABLE.test(variable) || named.includes(variable);
  return Object.entries(environment).flatMap(([name, value]) => {
    const said = value?.trim() ?? '';
    return isSecret(name) && said.length >= MIN_SECRET_CHARACTERS ? [{ name, value: said }] : [];
  });
}

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

/**
 * The form of the vocabulary's own names. They are never redacted, so that an event stays readable if a password is
 * one.
 */
const PLAIN_WORD = /^[a-z_]+$/;

/**
 * Takes secrets out of what is to be recorded: `[redacted NAME]` stands in their place, in texts and in the names of
 * members, also where they are quoted as JSON, and in place of what is left of them where a text was cut. A text that
 * is nothing but a secret in plain small letters stays: it cannot be told from a word of ours.
 *
 * @example
 * const redact = redactor(secretsIn(process.env));
 * const payload = redact({ output: 'OPENAI_API_KEY=sk-proj-0123456789abcdefghij' });
 */
export function redactor(secrets: readonly Secret[]): (json: Json) => Json {
  const known = secrets.filter(({ value }) => value.length >= MIN_SECRET_CHARACTERS).flatMap(alsoQuoted);
  // The longest first: one secret may begin with another.
  const byLength = known.toSorted((one, other) => other.value.length - one.value.length);
  const names = new Map(byLength.toReversed().map(({ name, value }) => [value, name]));
  const values = byLength.map(({ value }) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const forms = FORMS.map(([, form], index) => `(?<form${index}>${form})`);
  const pattern = new RegExp([...values, ...forms].join('|'), 'g');
  const clean = (text: string): string => {
    if (PLAIN_WORD.test(text)) return text;
    const whole = text.replace(
      pattern,
      (match: string, ...rest: unknown[]) => `[redacted ${names.get(match) ?? formName(rest.at(-1))}]`,
    );
    return atGaps(whole, {
      end: (head) => withoutBeginning(head, byLength),
      start: (tail) => withoutEnd(tail, byLength),
    });
  };
  return (json) => cleaned(json, clean);
}

/** Inside a text that is JSON, a secret may have other characters. */
function alsoQuoted(secret: Secret): readonly Secret[] {
  const quoted = JSON.stringify(secret.value).slice(1, -1);
  return quoted === secret.value ? [secret] : [secret, { ...secret, value: quoted }];
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

/** The same value where nothing was found in it, so that most payloads cost no memory. */
function cleaned(json: Json, clean: (text: string) => string): Json {
  if (typeof json === 'string') return clean(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) {
    const items = json.map((item: Json) => cleaned(item, clean));
    return items.every((item, index) => item === json[index]) ? json : items;
  }
  const members = Object.entries(json as { readonly [key: string]: Json });
  const after = members.map(([key, value]) => [clean(key), cleaned(value, clean)] as const);
  const isSame = after.every(([key, value], index) => key === members[index]?.[0] && value === members[index]?.[1]);
  return isSame ? json : Object.fromEntries(after);
}
