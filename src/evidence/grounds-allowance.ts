import { fitsGlob } from './path-globs.ts';
import type { ReportedTests } from './tests-of-checks.ts';

/** Whether the run was started to let changes of a file count. */
export function fitsAllowed(globs: readonly string[]): (path: string) => boolean {
  const fits = globs.map(fitsGlob);
  return (path) => fits.some((one) => one(path));
}

/**
 * The tests of a start without those in files whose changes count: they are neither lost nor turned, whatever became of
 * them. A test whose file is not known is in one of these where all changes count.
 *
 * @example
 * withoutTestsOf(start, { files: ['sum.test.js'], areAll: false }); // without the tests in sum.test.js
 */
export function withoutTestsOf(
  start: ReportedTests,
  { files, areAll }: { readonly files: readonly string[]; readonly areAll: boolean },
): ReportedTests {
  const known = new Set(files);
  const isOfThese = (file: string | null) => (file === null ? areAll && known.size > 0 : known.has(file));
  return new Map(
    [...start].map(([check, { tests, complete }]) => [
      check,
      { complete, tests: tests.filter(({ file }) => !isOfThese(file)) },
    ]),
  );
}
