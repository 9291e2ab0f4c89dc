/** Of words in a row that are compared. Two are common to many texts. */
const WORDS = 3;

/** Every list has those: they are no words. */
const LIST_MARKERS = /^[^\S\r\n\u2028\u2029]*(?:[-*+]|\d+[.)])\s/gm;

/** Before the first word of a text, and after its last. No word of a text has a space in it. */
const [START, END] = [' start', ' end'];

/**
 * Whether a task still has something of an edit in it: words in a row, as that edit has left them and as they were not
 * before. What was taken out leaves such words, too. White space does not count: editors change it when they save.
 */
export function isStillIn(task: string, edited: string, before: string): boolean {
  const known = new Set(rowsIn(before));
  const found = new Set(rowsIn(task));
  return rowsIn(edited).some((row) => !known.has(row) && found.has(row));
}

function rowsIn(text: string): string[] {
  const words = [START, ...text.normalize('NFC').replaceAll(LIST_MARKERS, ' ').split(/\s+/).filter(Boolean), END];
  const last = Math.max(0, words.length - WORDS);
  return Array.from({ length: last + 1 }, (_, at) => words.slice(at, at + WORDS).join(' '));
}
