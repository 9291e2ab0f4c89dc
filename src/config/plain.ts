import { stripVTControlCharacters } from 'node:util';

/** What could move a cursor, ring a bell or turn a line around, whoever printed it: gone. Line ends and tabs stay. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replace(/\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
