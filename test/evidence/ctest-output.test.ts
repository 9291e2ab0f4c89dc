import { expect, test } from 'vitest';
import { readCtest } from '../../src/evidence/ctest-output.ts';

/** As CTest 3.25 printed it. */
const CTEST = `Test project /here/b
    Start 1: good
1/6 Test #1: good .....................................................................   Passed    0.01 sec
    Start 2: bad one
Could not find executable one
2/6 Test #2: bad one ..................................................................***Not Run   0.00 sec
    Start 3: off
3/6 Test #3: off ......................................................................***Not Run (Disabled)   0.00 sec
    Start 4: crash
4/6 Test #4: crash ....................................................................***Exception: SegFault  0.00 sec
    Start 7: skipped
5/6 Test #7: skipped ..................................................................***Skipped   0.04 sec
    Start 9: a_very_long_name_of_a_test_that_is_longer_than_the_column_of_dots_here
6/6 Test #9: a_very_long_name_of_a_test_that_is_longer_than_the_column_of_dots_here ...   Passed    0.00 sec

60% tests passed, 2 tests failed out of 5

Total Test time (real) =   1.07 sec
`;
const named = (text: string) => readCtest(text)?.tests.map(({ name, result }) => `${name}: ${result}`);
const LINE = '1/1 Test #1: invented ...   Passed    0.01 sec\n';

test('V17 CTest names each test; one that is disabled or skipped itself is skipped', () => {
  expect(named(CTEST)).toEqual([
    'good: passed',
    'bad one: failed',
    'off: skipped',
    'crash: failed',
    'skipped: skipped',
    'a_very_long_name_of_a_test_that_is_longer_than_the_column_of_dots_here: passed',
  ]);
  expect(readCtest(CTEST)?.complete).toBe(true);
  expect(readCtest('Test project /here/b\nNo tests were found!!!\n')).toEqual({ tests: [], complete: true });
});

test('V17 CTest runs a test again until it passes: the last run of each counts', () => {
  const once = CTEST.indexOf('    Start 7');
  const again = `${CTEST.slice(0, once)}5/6 Test #4: crash ....   Passed    0.00 sec\n`;
  const text = again + CTEST.slice(once).replace('2 tests failed', '1 tests failed');
  expect(named(text)?.[3]).toBe('crash: passed');
  expect(readCtest(text)).toMatchObject({ complete: true, tests: { length: 6 } });
});

test.for<[string, string]>([
  ['is cut before its summary', CTEST.slice(0, CTEST.indexOf('60%'))],
  ['has a line more than it counts', CTEST.replace('\n60%', `${LINE.replace('#1', '#17')}\n60%`)],
  ['has a test that its output turns', CTEST.replace('\n60%', `${LINE.replace('#1', '#4')}\n60%`)],
  ['has a line behind its summary', CTEST + LINE],
  ['begins another', `${CTEST.slice(0, CTEST.indexOf('60%'))}${CTEST}`],
])('V17 given output of CTest that %s, it is no whole report', ([, text]) => {
  expect(readCtest(text)?.complete).toBe(false);
});

test('V17 lines of CTest alone are no report of it', () => {
  expect(readCtest(`${LINE}100% tests passed, 0 tests failed out of 1\n`)).toBeNull();
});
