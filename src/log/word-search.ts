/** The size of the table of shifts, a power of two: few of its places are taken by the words of a process's secrets. */
const PLACES = 8192;
const NEXT_LETTER = 31;

/**
 * Replaces words in texts, the longest where several begin at the same place. It reads about every m-th letter, where m
 * is the length of the shortest word (Wu and Manber): a regular expression tries each word at each letter, which takes
 * thirty times as long.
 *
 * @example
 * const censored = wordReplacer(['hunter2hunter2'], () => '…');
 * censored('the password is hunter2hunter2'); // 'the password is …'
 */
export function wordReplacer(
  words: readonly string[],
  replacement: (word: string) => string,
): (text: string) => string {
  const shortest = Math.min(...words.map(({ length }) => length));
  if (words.length === 0) return (text) => text;
  if (shortest < 2) throw new RangeError('a word of fewer than two letters');
  const last = shortest - 1;
  /** By two letters: how far the search may skip when it reads them where the shortest word would end. */
  const shifts = new Uint8Array(PLACES).fill(Math.min(last, 255));
  const ending: (readonly string[])[] = [];
  for (const word of words.toSorted((one, other) => other.length - one.length)) {
    for (let at = 1; at <= last; at += 1) {
      const place = placeOf(word, at);
      shifts[place] = Math.min(shifts[place] ?? 0, last - at);
    }
    const place = placeOf(word, last);
    ending[place] = [...(ending[place] ?? []), word];
  }
  return (text) => {
    let done = '';
    let from = 0;
    for (let at = last; at < text.length;) {
      const place = placeOf(text, at);
      const shift = shifts[place] ?? 1;
      const start = at - last;
      const word = shift === 0 ? ending[place]?.find((one) => text.startsWith(one, start)) : undefined;
      if (word === undefined) {
        at += Math.max(shift, 1);
      } else {
        done += text.slice(from, start) + replacement(word);
        from = start + word.length;
        at = from + last;
      }
    }
    return from === 0 ? text : done + text.slice(from);
  };
}

/** Where the letter at a place and the one before it have their shift. */
const placeOf = (text: string, at: number): number =>
  (text.charCodeAt(at - 1) * NEXT_LETTER + text.charCodeAt(at)) & (PLACES - 1);
