/** A word that a POSIX shell reads back as it is, always in quotes. */
export const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Words in quotes, with spaces between. */
export const quotedAll = (words: readonly string[]): string => words.map(quoted).join(' ');

/**
 * Words as a POSIX shell reads them back.
 *
 * @example
 * shellWords(['loopfold', 'run', "it's"]); // "loopfold run 'it'\\''s'"
 */
export const shellWords = (words: readonly string[]): string => words.map(shortest).join(' ');

const shortest = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word));
