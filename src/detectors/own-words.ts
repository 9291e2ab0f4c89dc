import type { ToolCall } from '../../machines/events.ts';

const MAX_WORDS = 32;
const MAX_WORD_CHARS = 200;
/** The beginning of each argument: its subject stands there. */
const MAX_READ_CHARS = 500;
const MAX_ARGUMENTS = 20;
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_./:@-]*[\p{L}\p{N}_]|\p{N}/gu;
const PARTS = /[/:@]/;
const LONG = /\d{9}/;
const COMMENT = /(?:^|\s)#[^\n"']*$/gm;
/** Plain words are part of any text: only what names something is a call's own. */
const NAMES = /[\d_./:@-]|\p{Ll}\p{Lu}/u;

/**
 * The words of a call, at most 32: what it is about, as names, paths, addresses and numbers are. A number of nine
 * digits or more is a time or an id, and a comment of a shell is about nothing.
 *
 * @example
 * wordsIn({ command: 'curl -s localhost:3001/health # again' }); // ['curl', 'localhost:3001/health', …]
 */
export function wordsIn(given: ToolCall['arguments']): readonly string[] {
  const whole = Object.values(Object(given) as object)
    .slice(0, MAX_ARGUMENTS)
    .flatMap((value: unknown) => textOf(value).slice(0, MAX_READ_CHARS).replace(COMMENT, '').match(WORD) ?? []);
  const parts = whole.flatMap((word) => (PARTS.test(word) ? word.split(PARTS) : []));
  const words = [...whole, ...parts].filter((word) => word !== '' && word.length <= MAX_WORD_CHARS && !LONG.test(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
};

/**
 * A text without the names in the call that brought it: they are told again in the result, and say nothing new there.
 */
export function withoutOwnWords(text: string, words: readonly string[]): string {
  const names = words.filter((word) => NAMES.test(word) && text.includes(word));
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce(withoutWord, text);
}

/** Within another word or number it is a part of that one. */
function withoutWord(text: string, word: string): string {
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (isPart(text[at - 1]) || isPart(text[at + word.length])) continue;
    rest += `${text.slice(from, at)}<own>`;
    from = at + word.length;
  }
  return rest + text.slice(from);
}

const isPart = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
