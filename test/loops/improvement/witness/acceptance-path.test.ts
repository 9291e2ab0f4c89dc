import { expect, test } from 'vitest';
import { acceptancePath } from '../../../../src/loops/improvement/witness/acceptance-path.ts';

const at = (written: string, folder = '') =>
  acceptancePath(written, { folder, isThere: (path) => path === 'test/sum.test.js' });

test.each([
  ['test/more.test.js', '', 'test/more.test.js'],
  ['./test/../test/more.test.js', '', 'test/more.test.js'],
  ['src/price_test.go', 'app', 'app/src/price_test.go'],
  [String.raw`tests\test_price.py`, 'app', 'app/tests/test_price.py'],
])('I12 a new file of tests within the workspace is taken: %s', (written, folder, path) => {
  expect(at(written, folder)).toEqual({ path });
});

test.each([
  ['../out.test.js', '', 'outside of the workspace'],
  ['test/../../out.test.js', 'app', 'outside of the workspace'],
  ['/etc/out.test.js', '', 'outside of the workspace'],
  ['C:/out.test.js', '', 'outside of the workspace'],
  ['test/a\nb.test.js', '', 'outside of the workspace'],
  ['test/sum.test.js', '', 'is there already'],
  ['.git/hooks/a.test.js', '', "not the project's"],
  ['node_modules/a/a.test.js', '', "not the project's"],
  ['.loopfold/a.test.js', '', "not the project's"],
  ['src/price.js', '', 'no file of tests'],
  ['conftest.py', '', 'no file of tests'],
  ['vitest.config.ts', '', 'no file of tests'],
])('I12 %j is refused, with words', (written, folder, why) => {
  expect(at(written, folder)).toEqual({ refused: expect.stringContaining(why) });
});
