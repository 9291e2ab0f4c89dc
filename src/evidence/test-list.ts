import type { EndedRun } from './run-crash.ts';

/** How one test went, as its runner reported it. */
export interface TestResult {
  /** From the top of the workspace; null where the report does not say. */
  readonly file: string | null;
  /** The full name, groups joined by ` > `. Empty: the file itself, or the run, failed outside of every test. */
  readonly name: string;
  /** From 1, among those of equal file and name in one report. */
  readonly occurrence: number;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Why it failed. */
  readonly message?: string;
}

/** The tests that a check has run, and whether its runners said that these are all. */
export interface TestList {
  readonly tests: readonly TestResult[];
  readonly complete: boolean;
  /** Read from lines that were printed, among which the work may print, too: that none are read may be no fault. */
  readonly printed?: true | undefined;
  /** Where runs ended before their end. Absent: none did, or that is not known. */
  readonly ended?: readonly EndedRun[];
}

/** Which test a result belongs to. The same in the reports of two runs. */
export type TestId = Pick<TestResult, 'file' | 'name' | 'occurrence'>;

/** An id as a text that no other id has. */
export const keyOf = ({ file, name, occurrence }: TestId): string => JSON.stringify([file, name, occurrence]);

/** One result without the place among those of equal file and name. */
export type UncountedTest = Omit<TestResult, 'occurrence'>;

/** Numbers the tests of one report. */
export function counted(tests: readonly UncountedTest[]): readonly TestResult[] {
  const seen = new Map<string, number>();
  return tests.map((test) => {
    const key = keyOf({ ...test, occurrence: 0 });
    const occurrence = (seen.get(key) ?? 0) + 1;
    seen.set(key, occurrence);
    return { ...test, occurrence };
  });
}

/** The tests of several reports of one check. Null without a report. */
export function joinedLists(lists: readonly TestList[]): TestList | null {
  if (lists.length === 0) return null;
  const ended = lists.flatMap((list) => list.ended ?? []);
  return {
    tests: lists.flatMap(({ tests }) => tests),
    complete: lists.every(({ complete }) => complete),
    ...(ended.length > 0 ? { ended } : {}),
  };
}
