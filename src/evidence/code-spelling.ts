import { extensionOf } from './comment-places.ts';

// What a compiler does with a text before it looks for comments.

const OF_C = /^(?:c|h|cc|hh|cpp|hpp|cxx|hxx)$/;
/** A line of C that goes on: compilers take blanks behind the sign, too. */
const GOES_ON = /\\[ \t]*\r?\n/g;
/** A letter or `@`, which Java reads before all else. */
const ESCAPED_LETTER = /(?<!\\)((?:\\\\)*)\\u+(00(?:4[\da-f]|5[\da]|6[1-9a-f]|7[\da]))/gi;
const HEXADECIMAL = 16;

/**
 * Returns a file as its compiler spells it.
 *
 * @example
 * spelled('A.java', '\\u0040Deprecated'); // '@Deprecated'
 */
export function spelled(path: string, text: string): string {
  const extension = extensionOf(path);
  if (OF_C.test(extension)) return text.replace(GOES_ON, '');
  if (extension !== 'java') return text;
  return text.replace(
    ESCAPED_LETTER,
    (_found, before: string, code: string) => before + String.fromCharCode(Number.parseInt(code, HEXADECIMAL)),
  );
}
