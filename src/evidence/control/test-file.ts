import type { TestResult } from '../test-list.ts';

type ReportedTest = Pick<TestResult, 'file' | 'name'>;

/** The file that a runner names for its test. Cargo names the program before it. */
export const namedFile = ({ file }: Pick<ReportedTest, 'file'>): string =>
  file?.endsWith('.rs') ? (file.split(' ').at(-1) ?? '') : (file ?? '');

/**
 * The files that may have these tests: those that their runner names, and where it names the folder of a package, as
 * Go does, the files of tests in there.
 *
 * @example
 * testsByFile([{ file: 'sums', name: 'TestSum' }], ['sums/sum.go', 'sums/sum_test.go']).keys(); // sums/sum_test.go
 */
export function testsByFile<Test extends ReportedTest>(
  tests: readonly Test[],
  paths: Iterable<string>,
): ReadonlyMap<string, readonly Test[]> {
  const byName = Map.groupBy(tests, namedFile);
  const found = [...paths].map((path) => {
    const own = byName.get(path) ?? [];
    return [path, isOfGo(path) ? [...own, ...(byName.get(packageOf(path)) ?? [])] : own] as const;
  });
  return new Map(found.filter(([, own]) => own.length > 0));
}

/**
 * Tells whether a file has this test, as far as its text and the name say it. An example in a comment of Python, which
 * is named by its module, is no function that a runner could find beside it.
 */
export function hasTest(path: string, text: string, { name }: ReportedTest): boolean {
  if (path.endsWith('.py')) return !IN_COMMENT.test(name);
  return !isOfGo(path) || text.includes(`func ${name.split(' > ', 1)[0]}(`);
}

/** As doctest names the examples of a module. */
const IN_COMMENT = /^[\w.]+\.\w+$/;

/** Whether its runner has loaded a file, going by the files that it names. */
export const isAmong = (path: string, named: ReadonlySet<string>): boolean =>
  named.has(path) || (isOfGo(path) && named.has(packageOf(path)));

const isOfGo = (path: string): boolean => path.endsWith('_test.go');

/** The folder of a package, as Go names it. */
const packageOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.');
