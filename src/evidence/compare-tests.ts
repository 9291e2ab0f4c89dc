import { keyOf, type TestList, type TestResult } from './test-list.ts';

/** A test that the start had and that does not pass now: it failed, was skipped, or was not reported. */
export interface MissedTest {
  readonly test: TestResult;
  readonly how: 'failed' | 'skipped' | 'gone';
}

/** What became of the tests of a start, and what is new. */
export interface TestChange {
  /** Failed on the start, pass now. */
  readonly turned: readonly TestResult[];
  /** How many pass both times. */
  readonly kept: number;
  /** Failed on the start, and fail now or are not reported. */
  readonly stillRed: readonly MissedTest[];
  /** Ran now, and on the start not at all. */
  readonly fresh: readonly TestResult[];
  /** Passed on the start and do not now, or ran on the start and are skipped now. */
  readonly lost: readonly MissedTest[];
  /** Tests ran on the start, and none now. */
  readonly zero: boolean;
  /** There is no whole report now, though the start had one, or though a runner began it. */
  readonly reportMissing: boolean;
}

/**
 * Compares the tests of the start with those of a later leg, by file, name and occurrence. Of two results of a test the
 * worse counts. Null: no runner reported.
 *
 * @example
 * const adds = { file: 'sum.test.js', name: 'adds', occurrence: 1 } as const;
 * compareTests(
 *   { tests: [{ ...adds, result: 'failed' }], complete: true },
 *   { tests: [{ ...adds, result: 'passed' }], complete: true },
 * ).turned; // [{file: 'sum.test.js', name: 'adds', …}]
 */
export function compareTests(start: TestList | null, now: TestList | null): TestChange {
  const [before, after] = [worstOf(start), worstOf(now)];
  const turned: TestResult[] = [];
  const stillRed: MissedTest[] = [];
  const lost: MissedTest[] = [];
  let kept = 0;
  for (const [key, test] of before) {
    if (test.result === 'skipped') continue;
    const known = after.get(key);
    const how = known ? known.result : fateOf(test, after);
    if (how === 'passed') {
      if (test.result === 'passed') kept += 1;
      else turned.push(test);
    } else if (test.result === 'passed' || how === 'skipped') lost.push({ test, how });
    else stillRed.push({ test, how });
  }
  const fresh = [...after].flatMap(([key, test]) => (hasRun(test) && !hasRun(before.get(key)) ? [test] : []));
  const zero = [...before.values()].some(hasRun) && ![...after.values()].some(hasRun);
  return { turned, kept, stillRed, fresh, lost, zero, reportMissing: isMissing(start, now) };
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

function isMissing(start: TestList | null, now: TestList | null): boolean {
  if (now === null) return start !== null;
  return !now.complete && start?.complete !== false;
}
