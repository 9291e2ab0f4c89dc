import { expect, test } from 'vitest';
import { joinedLists } from '../../src/evidence/test-list.ts';
import { readTestRecords } from '../../src/evidence/test-records.ts';
import { fc } from '../support/fast-check.ts';

const BEGINNING = { runner: 'vitest', directory: '/here/lib' };
const record = (path: readonly string[], more: object = {}) => ({ file: 'a.test.js', path, result: 'passed', ...more });
const text = (...lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const TOPS = ['/here'];

test('V4 tests have their file from the top, their full name, and a number where others have the same', () => {
  const lines = [record(['sums', 'adds']), record(['sums', 'adds'], { result: 'failed', message: 'no' }), record([])];
  expect(readTestRecords(text(BEGINNING, ...lines, { tests: 3 }), TOPS)).toEqual({
    complete: true,
    tests: [
      { file: 'lib/a.test.js', name: 'sums > adds', occurrence: 1, result: 'passed' },
      { file: 'lib/a.test.js', name: 'sums > adds', occurrence: 2, result: 'failed', message: 'no' },
      { file: 'lib/a.test.js', name: '', occurrence: 1, result: 'passed' },
    ],
  });
});

test('V4 a file elsewhere keeps its path, and a test need not have one', () => {
  const files = [{ file: '/here/b.js' }, { file: '/other/b.js' }, { file: '../../c.js' }, { file: null }];
  const list = readTestRecords(text(BEGINNING, ...files.map((file) => record(['x'], file))), TOPS);
  expect(list?.tests.map(({ file }) => file)).toEqual(['b.js', '/other/b.js', '/c.js', null]);
});

test('V4 a report is whole where its last line counts its tests, and nothing where it has not begun', () => {
  const whole = text(BEGINNING, record(['a']), record(['b']), { tests: 2 });
  fc.assert(
    fc.property(fc.nat(whole.length - 2), (length) => {
      expect(readTestRecords(whole.slice(0, length), TOPS)?.complete ?? false).toBe(false);
    }),
  );
  expect(readTestRecords(text(BEGINNING, record(['a']), { tests: 2 }), TOPS)?.complete).toBe(false);
  expect(readTestRecords(text(BEGINNING, { tests: 0 }, record(['a'])), TOPS)?.complete).toBe(false);
  expect(readTestRecords('', TOPS)).toBeNull();
  expect(readTestRecords(text(record(['a'])), TOPS)).toBeNull();
});

test('V4 what a test is called can steer no terminal', () => {
  const list = readTestRecords(text(BEGINNING, record(['\u001B[31mred\u0007\nline'])), TOPS);
  expect(list?.tests[0]?.name).toBe('red line');
});

test('V4 several reports are whole where each is', () => {
  const [whole, cut] = [
    { tests: [], complete: true },
    { tests: [], complete: false },
  ];
  expect([joinedLists([]), joinedLists([whole, whole])?.complete, joinedLists([whole, cut])?.complete]).toEqual([
    null,
    true,
    false,
  ]);
});
