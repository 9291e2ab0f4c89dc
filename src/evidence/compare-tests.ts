import { keyOf, type TestList, type TestResult } from './test-list.ts';

/** A test that the base had and that does not pass now: it failed, was skipped, or was not reported. */
export interface MissedTest {
  readonly test: TestResult;
  readonly how: 'failed' | 'skipped' | 'gone';
}

/** What became of the tests of a base, and what is new. */
export interface TestChange {
  /** Failed on the base, pass on the work. */
  readonly turned: readonly TestResult[];
  /** How many pass on both. */
  readonly kept: number;
  /** Failed on the base, and fail on the work or are not reported there. */
  readonly stillRed: readonly MissedTest[];
  /** Ran on the work, and on the base not at all. */
  readonly fresh: readonly TestResult[];
  /** Passed on the base and do not on the work, or ran on the base and are skipped now. */
  readonly lost: readonly MissedTest[];
  /** Tests ran on the base, and none on the work. */
  readonly zero: boolean;
  /** The work has no whole report, though the base had one, or though a runner began it. */
  readonly reportMissing: boolean;
}

/**
 * Compares the tests of a base with those of the work, by file, name and occurrence. Of two results of one test the
 * worse counts. Null: no runner reported.
 *
 * @example
 * const adds = { file: 'sum.test.js', name: 'adds', occurrence: 1 } as const;
 * compareTests(
 *   { tests: [{ ...adds, result: 'failed' }], complete: true },
 *   { tests: [{ ...adds, result: 'passed' }], complete: true },
 * ).turned; // [{file: 'sum.test.js', name: 'adds', …}]
 */
export function compareTests(base: TestList | null, work: TestList | null): TestChange {
  const [before, after] = [worstOf(base), worstOf(work)];
  const turned: TestResult[] = [];
  const stillRed: MissedTest[] = [];
  const lost: MissedTest[] = [];
  let kept = 0;
  for (const [key, test] of before) {
    if (test.result === 'skipped') continue;
    const now = after.get(key);
    const how = now ? now.result : fateOf(test, after);
    if (how === 'passed') {
      if (test.result === 'passed') kept += 1;
      else turned.push(test);
    } else if (test.result === 'passed' || how === 'skipped') lost.push({ test, how });
    else stillRed.push({ test, how });
  }
  const fresh = [...after].flatMap(([key, test]) => (hasRun(test) && !hasRun(before.get(key)) ? [test] : []));
  const zero = [...before.values()].some(hasRun) && ![...after.values()].some(hasRun);
  return { turned, kept, stillRed, fresh, lost, zero, reportMissing: isMissing(base, work) };
}

const RANK = { failed: 2, skipped: 1, passed: 0 } as const;

function worstOf(list: TestList | null): ReadonlyMap<string, TestResult> {
  const worst = new Map<string, TestResult>();
  for (const test of list?.tests ?? []) {
    const known = worst.get(keyOf(test));
    if (!known || RANK[test.result] > RANK[known.result]) worst.set(keyOf(test), test);
  }
  return worst;
}

const hasRun = (test: TestResult | undefined): boolean => test !== undefined && test.result !== 'skipped';

/** A file that could not be loaded reports itself, and is loaded now where tests of it ran. */
function fateOf(test: TestResult, after: ReadonlyMap<string, TestResult>): 'passed' | 'gone' {
  if (test.name !== '') return 'gone';
  const isLoaded = [...after.values()].some(
    (other) => other.result === 'passed' && (other.file === test.file || test.file === null),
  );
  return isLoaded ? 'passed' : 'gone';
}

function isMissing(base: TestList | null, work: TestList | null): boolean {
  if (work === null) return base !== null;
  return !work.complete && base?.complete !== false;
}
