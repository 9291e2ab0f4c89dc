// A formatter changes this much of a file, and keeps its meaning. Two texts that differ in this alone are the same
// work, also where a language gives blanks a meaning: that only asks more.

const BLANKS = /\s+/g;
const QUOTES = /\\?['"`]/g;
const ENDS_OF_STATEMENTS = /;/g;
const TRAILING_COMMAS = /,(?=[)\]}]|$)/g;

/**
 * Tells whether two texts differ in nothing but blanks, kinds of quotation marks, trailing commas and semicolons.
 *
 * @example
 * sameButFormat("f('a', [1,]);", 'f("a", [\n  1\n])\n'); // true
 */
export const sameButFormat = (one: string, other: string): boolean => bare(one) === bare(other);

const bare = (text: string): string =>
  text.replace(BLANKS, '').replace(QUOTES, '"').replace(ENDS_OF_STATEMENTS, '').replace(TRAILING_COMMAS, '');
