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
