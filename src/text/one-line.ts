import { head } from './excerpt.ts';
import { plain } from './plain.ts';

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
