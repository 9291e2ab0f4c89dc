const MAX_READ_CHARS = 10_000;
const MAX_CHARS = 500;

/** What differs between two reports of the same error: time, memory address, folder, line. */
const VOLATILE: readonly [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:z|[+-]\d\d:?\d\d)?)?/g, 'TIME'],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, 'TIME'],
  [/\b\d+(?:[.,]\d+)? ?(?:ms|µs|ns|s|m|min|h|seconds?|minutes?)\b/g, 'TIME'],
  [/\b0x[\da-f]+\b/g, 'HEX'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, 'HEX'],
  [/\b(?=[a-f]*\d)[\da-f]{7,}\b/g, 'HEX'],
  // Numbers alone, as in 20/20, are not a path.
  [/(?<![\w.@~\\/-])(?![\d/]+(?![\w.@~\\/-]))(?:[a-z]:)?(?:[\w.@~-]*[\\/])+[\w.@-]+/g, 'PATH'],
  [/:\d+(?::\d+)?\b/g, ':LINE'],
  [/\b(lines?|columns?|col) \d+/g, '$1 LINE'],
  [/\s+/g, ' '],
];

/** An error without what differs between two reports of it. At most 500 characters. */
export function normalisedError(text: string): string {
  const lower = text.slice(0, MAX_READ_CHARS).toLowerCase();
  return VOLATILE.reduce((said, [pattern, word]) => said.replaceAll(pattern, word), lower)
    .trim()
    .slice(0, MAX_CHARS);
}
