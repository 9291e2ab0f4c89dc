import { expect, test } from 'vitest';
import { hasTest, isAmong, testsByFile } from '../../src/evidence/control/test-file.ts';

const PATHS = ['sum.go', 'sum_test.go', 'pkg/mul_test.go', 'pkg/deep/x_test.go', 'test/a.test.js', 'tests/it.rs'];
const filesOf = (file: string | null, name = 'adds') => [...testsByFile([{ file, name }], PATHS).keys()];

test('V4 a test is in the file that its runner names, and for Go in a file of tests of its package', () => {
  expect(filesOf('test/a.test.js')).toEqual(['test/a.test.js']);
  expect(filesOf('it tests/it.rs')).toEqual(['tests/it.rs']);
  expect(filesOf('.')).toEqual(['sum_test.go']);
  expect(filesOf('pkg')).toEqual(['pkg/mul_test.go']);
  expect(filesOf(null)).toEqual([]);
  expect(filesOf('gone.test.js')).toEqual([]);
});

test('V4 of the files of a package of Go that one has a test whose text declares it', () => {
  const text = 'package sum\n\nfunc TestSum(t *testing.T) {}\n';
  expect(hasTest('sum_test.go', text, { file: '.', name: 'TestSum' })).toBe(true);
  expect(hasTest('sum_test.go', text, { file: '.', name: 'TestSum > small' })).toBe(true);
  expect(hasTest('sum_test.go', text, { file: '.', name: 'TestSu' })).toBe(false);
  expect(hasTest('a.test.js', '', { file: 'a.test.js', name: 'adds' })).toBe(true);
});

test('V4 a file of Go was loaded where its package was', () => {
  expect(isAmong('pkg/mul_test.go', new Set(['pkg']))).toBe(true);
  expect(isAmong('pkg/mul_test.go', new Set(['.']))).toBe(false);
  expect(isAmong('pkg/mul.test.js', new Set(['pkg']))).toBe(false);
});
