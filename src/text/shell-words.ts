/** A word that a POSIX shell reads back as it is, always in quotes. */
export const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Words in quotes, with spaces between. */
export const quotedAll = (words: readonly string[]): string => words.map(quoted).join(' ');
