/** The numbers of tests that a line tells. Absent: it does not say. */
export interface SummaryCounts {
  readonly total?: number;
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
}

type Kind = keyof SummaryCounts;

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['passed', /^(?:pass|ok$|success|succeeded)/i],
  ['failed', /^(?:fail|error)/i],
  ['skipped', /^(?:skip|pending|ignored|todo|disabled|xfail|incomplete|risky)/i],
  ['total', /^(?:tests?|examples|runs|specs|scenarios|total)/i],
];
const WORD =
  'passed|passing|pass|ok|success(?:es|ful)?|succeeded|failed|failing|failures?|fail|errors?|skipped|skips?|pending|' +
  'ignored|todo|disabled|xfailed|incomplete|risky|tests?|examples?|runs|specs?|scenarios?|total';
const NUMBER_FIRST = new RegExp(String.raw`\b(\d+) (?:(?:tests?|examples?|specs?) )?(${WORD})\b`, 'gi');
const WORD_FIRST = new RegExp(String.raw`\b(${WORD})(?: tests?)? ?[:=] *(\d+)\b(?! [a-z])`, 'gi');
/** Counts files, and not their tests. */
const OF_FILES = /^\W*(?:test )?(?:files|suites)\b/i;
const SUMMED: ReadonlySet<Kind> = new Set(['failed', 'skipped']);
/** Longer lines say something else. */
const MAX_CHARS = 300;

/**
 * Reads the counts of tests in one line of a summary. Null: it says neither how many there were nor how many passed.
 *
 * @example
 * summaryCounts('3 tests, 1 failure'); // {total: 3, failed: 1}
 */
export function summaryCounts(line: string): SummaryCounts | null {
  if (line.length > MAX_CHARS || !/\d/.test(line) || OF_FILES.test(line)) return null;
  const found = [
    ...[...line.matchAll(NUMBER_FIRST)].map(([, count, word = '']) => [word, Number(count)] as const),
    ...[...line.matchAll(WORD_FIRST)].map(([, word = '', count]) => [word, Number(count)] as const),
  ];
  const counts: { [kind in Kind]?: number } = {};
  for (const [word, count] of found) {
    const kind = KINDS.find(([, words]) => words.test(word))?.[0];
    if (!kind) continue;
    const known = counts[kind];
    // Failures and errors are counted apart. Of two numbers for the rest none is known to be that of the tests.
    if (known !== undefined && !SUMMED.has(kind) && known !== count) return null;
    counts[kind] = SUMMED.has(kind) ? (known ?? 0) + count : count;
  }
  return counts.total === undefined && counts.passed === undefined ? null : counts;
}
