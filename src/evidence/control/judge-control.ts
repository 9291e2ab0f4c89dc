import type { TestResult } from '../test-list.ts';

/** A file of tests to which tests that must fail were added. */
export interface ControlledFile {
  readonly path: string;
  /** A part of the name of each of them. */
  readonly labels: readonly string[];
}

/** What became of tests that must fail. The paths are those of the files that they were added to. */
export interface JudgedControl {
  /** All of them failed. */
  readonly held: string[];
  /** They failed where the work is not there, and do not with it. */
  readonly broken: string[];
  /** They do not fail where the work is not there, either: the runner does not take them for tests. */
  readonly unnoticed: string[];
}

/** The files whose tests that must fail did not all fail, or were not all reported. */
export const evaded = <File extends ControlledFile>(
  files: readonly File[],
  tests: readonly TestResult[],
): readonly File[] => files.filter(({ labels }) => !labels.every((label) => hasFailed(label, tests)));

/**
 * Judges a control on the work: where something evaded it, by what the same files come to where the work is not.
 *
 * @example
 * const files = [{ path: 'test/sum.test.js', labels: ['k1x0x'] }];
 * const failed = { file: 'test/sum.test.js', name: 'k1x0x', occurrence: 1, result: 'failed' } as const;
 * const ran = { evaded: evaded(files, []), evadedAtStart: evaded(files, [failed]) };
 * judgeControl(files, ran).broken; // ['test/sum.test.js']
 */
export function judgeControl(
  files: readonly ControlledFile[],
  ran: { readonly evaded: readonly ControlledFile[]; readonly evadedAtStart: readonly ControlledFile[] },
): JudgedControl {
  const paths = (some: readonly ControlledFile[]) => some.map(({ path }) => path);
  return {
    held: paths(files.filter((file) => !ran.evaded.includes(file))),
    broken: paths(ran.evaded.filter((file) => !ran.evadedAtStart.includes(file))),
    unnoticed: paths(ran.evaded.filter((file) => ran.evadedAtStart.includes(file))),
  };
}

function hasFailed(label: string, tests: readonly TestResult[]): boolean {
  const named = tests.filter(({ name }) => name.includes(label));
  return named.length > 0 && named.every(({ result }) => result === 'failed');
}
