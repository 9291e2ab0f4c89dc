import { stripVTControlCharacters } from 'node:util';

/** Removes control characters and text-direction marks. Line ends and tabs stay. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replace(/\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
