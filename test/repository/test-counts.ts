import { z } from 'zod';

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({ status: z.enum(['passed', 'failed']), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

export interface Counted {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What vitest's JSON report says. A file that failed before or beside its tests counts as one failure. */
export function countTests(report: string): Counted {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = Report.parse(JSON.parse(report));
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles.length,
    skipped: numPendingTests + numTodoTests,
  };
}

export const sumOf = (all: readonly Counted[]): Counted =>
  all.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
