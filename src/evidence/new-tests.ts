import type { GroundChange } from '../../machines/recorded-proof.ts';
import { CONVENTIONS } from './ground-patterns.ts';
import { isKeyed } from './key-grounds.ts';
import { fitsAny } from './path-globs.ts';

const globsOf = (areTests: boolean): string[] =>
  CONVENTIONS.filter(({ reason }) => (reason === 'test-folder' || reason === 'test-file') === areTests).flatMap(
    ({ globs }) => globs,
  );
const fitsTests = fitsAny(globsOf(true));
const fitsOther = fitsAny(globsOf(false));
/** Runners load these for every test beside them. */
const REACHES_OTHERS = fitsAny(['**/__mocks__/**', '**/conftest.py']);

/**
 * Whether a change of a ground is a test, or data of one, that was not there before: it takes nothing from the tests
 * that were.
 *
 * @example
 * isAddedTest({ path: 'test/more.test.js', how: 'absent' }); // true
 * isAddedTest({ path: 'vitest.config.ts', how: 'absent' }); // false
 */
export const isAddedTest = ({ path, how }: GroundChange): boolean =>
  how === 'absent' && fitsTests(path) && !fitsOther(path) && !REACHES_OTHERS(path) && !isKeyed(path);

const namedAsTests = fitsAny(CONVENTIONS.filter(({ reason }) => reason === 'test-file').flatMap(({ globs }) => globs));
const HAS_NO_TESTS = fitsAny(['**/*.{snap,snapshot}', '**/conftest.py']);

/** Whether a runner takes a file for one of tests by its name, wherever it lies. Helpers have no such name. */
export const isNamedAsTest = (path: string): boolean => namedAsTests(path) && !HAS_NO_TESTS(path);
