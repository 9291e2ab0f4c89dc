/**
 * Items as a sentence has them.
 *
 * @example
 * listed(['a', 'b', 'c'], 'or'); // 'a, b or c'
 */
export const listed = (items: readonly string[], word: 'and' | 'or'): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
