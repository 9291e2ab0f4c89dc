import { type SummaryCounts, summaryCounts } from './summary-counts.ts';
import { counted, type TestList, type UncountedTest } from './test-list.ts';
import { VERBOSE_STYLES, type VerboseStyle, verboseTest } from './verbose-lines.ts';

/**
 * Reads tests by name from what any runner prints, a line for each test and then how many there were. It counts only
 * where the lines and each number agree, since any program can print a line: one more than its runner has counted, or
 * one less, and no test is known. Null: nothing is.
 *
 * @example
 * readVerbose('adds ... ok\nkeeps ... FAIL\n2 tests, 1 failure\n')?.tests.length; // 2
 */
export function readVerbose(text: string): TestList | null {
  const lines = text.split('\n').map((line) => ({ line, counts: summaryCounts(line) }));
  if (!lines.some(({ counts }) => counts !== null)) return null;
  const found = VERBOSE_STYLES.map((style) => inStyle(style, lines)).filter((list) => list !== null);
  const [first] = found.toSorted((one, other) => failuresOf(other) - failuresOf(one) || other.length - one.length);
  return first ? { tests: counted(first), complete: true, printed: true } : null;
}

interface ReadLine {
  readonly line: string;
  readonly counts: SummaryCounts | null;
}

/** The tests of the runs in a text, of which each has a summary. Null: they do not agree. */
function inStyle(style: VerboseStyle, lines: readonly ReadLine[]): readonly UncountedTest[] | null {
  const agreed: UncountedTest[] = [];
  let open: UncountedTest[] = [];
  for (const { line, counts } of lines) {
    // Checked first: a summary may look like a test.
    if (counts && open.length > 0 && agree(open, counts)) {
      agreed.push(...open);
      open = [];
      continue;
    }
    const test = verboseTest(style, line);
    if (test) open.push(test);
  }
  return open.length > 0 || agreed.length === 0 ? null : agreed;
}

function agree(tests: readonly UncountedTest[], { total, passed, failed, skipped }: SummaryCounts): boolean {
  const [ok, red, left] = [of(tests, 'passed'), of(tests, 'failed'), of(tests, 'skipped')];
  const fits = (said: number | undefined, count: number) => said === undefined || said === count;
  // Some count what they skip, and some do not.
  const isTotal = fits(total, ok + red + left) || fits(total, ok + red);
  return isTotal && fits(passed, ok) && fits(failed, red) && fits(skipped, left);
}

const of = (tests: readonly UncountedTest[], result: UncountedTest['result']): number =>
  tests.filter((test) => test.result === result).length;

const failuresOf = (tests: readonly UncountedTest[]): number => of(tests, 'failed');
