import type { TestId } from './test-list.ts';

/** Tests that a runner is to run alone, as regular expressions that JavaScript, Python and Go read alike. */
export interface SelectedTests {
  /** Matches the full name, whose groups are joined by blanks or by ` > `, as the runner joins them. */
  readonly pattern: string;
  /** Matches the name of the function, for Go, which takes no blanks in a flag of its environment. */
  readonly go: string;
}

/** So many are named in a variable of the environment, which the system limits. */
const MAX_SELECTED = 200;
const MAX_CHARACTERS = 16_000;

/**
 * Selects tests by name. Null: they are too many, or a file that could not be loaded is among them, whose tests have no
 * names.
 *
 * @example
 * const adds = { file: 'a.test.js', name: 'sums > adds 1 + 1', occurrence: 1 };
 * selectedTests([adds])?.pattern; // '^\\s*(?:sums\\s+(?:>\\s+)?adds\\s+1\\s+\\+\\s+1)\\s*$'
 */
export function selectedTests(tests: readonly TestId[]): SelectedTests | null {
  if (tests.length === 0 || tests.length > MAX_SELECTED || tests.some(({ name }) => name === '')) return null;
  const names = [...new Set(tests.map(({ name }) => name))].map((name) => name.split(' > ').map(escaped));
  const pattern = withBlanks(oneOf(names.map((parts) => parts.join(BETWEEN))));
  return pattern.length > MAX_CHARACTERS ? null : { pattern, go: oneOf(names.map(([first = '']) => first)) };
}

const oneOf = (patterns: readonly string[]): string => `^(?:${[...new Set(patterns)].join('|')})$`;
/** A report has one blank for several, and none at the ends. */
const withBlanks = (pattern: string): string => pattern.replace('^', String.raw`^\s*`).replace(/\$$/, String.raw`\s*$`);
const BETWEEN = String.raw`\s+(?:>\s+)?`;

const escaped = (text: string): string =>
  text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`);
