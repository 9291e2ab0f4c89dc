import { z } from 'zod';

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});

export interface Counted {
  readonly passed: number;
  readonly skipped: number;
  /** Each with its file, its title and the first line of its error. */
  readonly failures: readonly string[];
}

/** Reads vitest's JSON report. A file that failed before or beside its tests counts as one failure. */
export function countTests(report: string): Counted {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = Report.parse(JSON.parse(report));
  return {
    passed: numPassedTests,
    skipped: numPendingTests + numTodoTests,
    failures: testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      if (status === 'failed' && failed.length === 0) return [`${name}: ${firstLine(message)}`];
      return failed.map(({ fullName, failureMessages: [first = ''] }) => `${name}: ${fullName}: ${firstLine(first)}`);
    }),
  };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

export const sumOf = (all: readonly Counted[]): Counted => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
  failures: all.flatMap(({ failures }) => failures),
});
