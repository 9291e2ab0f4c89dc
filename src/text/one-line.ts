import { head } from './excerpt.ts';

/** A code begins with ESC or with one character of C1, such as CSI. */
const CODES = [
  // A colour, a place of the cursor.
  String.raw`(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]`,
  // A title, a link: its text ends before the next control character, so that none is read from every start again.
  String.raw`(?:\x1B[\]PX^_]|[\x90\x98\x9D-\x9F])[^\p{Cc}]*(?:\x07|\x1B\\|\x9C)`,
  String.raw`\x1B[ -/]*[0-~]`,
];
const MARKS = String.raw`[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]`;
const ESCAPES = new RegExp(CODES.join('|'), 'gu');
const UNSEEN = new RegExp([...CODES, MARKS].join('|'), 'gu');

/**
 * Removes the codes of terminals, other control characters and text-direction marks. Line ends and tabs stay. Of a code
 * that does not end on its line only the opening is removed, and the text in it is shown. Takes time in proportion to
 * the text, whatever is in it.
 *
 * @example
 * plain('\u001b[31mred\u001b[0m \u001b]0;no end'); // 'red 0;no end'
 */
export const plain = (text: string): string => text.replace(UNSEEN, '');

/** Removes the codes of terminals alone: what else stands in a text stays. */
export const withoutEscapes = (text: string): string => text.replace(ESCAPES, '');

/** Characters of codes and blanks that a text may have besides what is shown of it. */
const MAX_UNSEEN_CHARS = 4_000;

/**
 * A text as one line of at most so many characters. It is cut before it is cleaned: a model may answer with megabytes.
 *
 * @example
 * oneLine('red\n  and green', 8); // 'red and…'
 */
export const oneLine = (text: string, maxChars: number): string =>
  head(
    plain(head(text, maxChars + MAX_UNSEEN_CHARS))
      .replace(/\s+/g, ' ')
      .trim(),
    maxChars,
  );
