import { describe, expect, test } from 'vitest';
import { readVerbose } from '../../src/evidence/verbose-output.ts';

// As the runners named beside them have printed it.
const GOOGLETEST = `[==========] Running 4 tests from 2 test suites.
[----------] Global test environment set-up.
[----------] 3 tests from Sums
[ RUN      ] Sums.Adds
[       OK ] Sums.Adds (0 ms)
[ RUN      ] Sums.Fails
g.cc:3: Failure
[  FAILED  ] Sums.Fails (0 ms)
[ RUN      ] Sums.Later
g.cc:4: Skipped

[  SKIPPED ] Sums.Later (0 ms)
[----------] 3 tests from Sums (0 ms total)

[----------] 1 test from All/P
[ RUN      ] All/P.Is/0
[  FAILED  ] All/P.Is/0, where GetParam() = 1 (12 ms)
[----------] 1 test from All/P (12 ms total)

[----------] Global test environment tear-down
[==========] 4 tests from 2 test suites ran. (12 ms total)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Sums.Later
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] Sums.Fails
[  FAILED  ] All/P.Is/0, where GetParam() = 1

 2 FAILED TESTS
`;
const UNITTEST = `test_adds (test_u.T.test_adds) ... ok
test_err (test_u.T.test_err) ... ERROR
test_exp (test_u.T.test_exp) ... expected failure
test_later (test_u.T.test_later) ... skipped 'x'

======================================================================
ERROR: test_err (test_u.T.test_err)
----------------------------------------------------------------------
TypeError

----------------------------------------------------------------------
Ran 4 tests in 0.016s

FAILED (errors=1, skipped=1, expected failures=1)
`;
const PYTEST = `collecting ... collected 3 items

test_u.py::T::test_adds PASSED                                           [ 33%]
test_u.py::T::test_exp XFAIL                                             [ 66%]
test_u.py::T::test_fails FAILED                                          [100%]

FAILED test_u.py::T::test_fails - AssertionError: 1 != 2
============== 1 failed, 1 passed, 1 xfailed in 0.47s ==============
`;
const MINITEST = `# Running:

sums::of two#test_0001_adds = 0.00 s = F
SumsTest#test_bare = 0.00 s = E
SumsTest#test_keeps = 0.00 s = .
SumsTest#test_rounds = 0.00 s = S

4 runs, 2 assertions, 1 failures, 1 errors, 1 skips
`;
const MESON = `1/3 sums / adds    OK              0.01s
2/3 sums:x / fails FAIL            0.01s   exit status 1
3/3 sums / later   SKIP            0.01s   exit status 77

Ok:                 1
Expected Fail:      0
Fail:               1
`;
const AUTOMAKE = `PASS: a.sh
FAIL: b.sh
SKIP: c.sh
# TOTAL: 3
# PASS:  1
`;
const MARKS = 'Sums\n ✔ Adds (3 ms)\n ✘ Fails\n ✔ Keeps\n ✔ Adds\n\n3 passed, 1 failed\n';

const named = (text: string) =>
  readVerbose(text)?.tests.map(({ file, name, result }) => `${file === null ? '' : `${file}: `}${name}: ${result}`) ??
  null;

describe('V17 tests of a runner that is not known are read from the lines that it prints', () => {
  test.for<[string, string, readonly string[]]>([
    [
      'googletest',
      GOOGLETEST,
      ['Sums.Adds: passed', 'Sums.Fails: failed', 'Sums.Later: skipped', 'All/P.Is/0: failed'],
    ],
    [
      'unittest',
      UNITTEST,
      [
        'test_adds (test_u.T.test_adds): passed',
        'test_err (test_u.T.test_err): failed',
        'test_exp (test_u.T.test_exp): skipped',
        'test_later (test_u.T.test_later): skipped',
      ],
    ],
    [
      'pytest',
      PYTEST,
      ['test_u.py: T::test_adds: passed', 'test_u.py: T::test_exp: skipped', 'test_u.py: T::test_fails: failed'],
    ],
    [
      'minitest',
      MINITEST,
      [
        'sums::of two#test_0001_adds: failed',
        'SumsTest#test_bare: failed',
        'SumsTest#test_keeps: passed',
        'SumsTest#test_rounds: skipped',
      ],
    ],
    ['meson', MESON, ['sums / adds: passed', 'sums:x / fails: failed', 'sums / later: skipped']],
    ['automake', AUTOMAKE, ['a.sh: passed', 'b.sh: failed', 'c.sh: skipped']],
    ['marks', MARKS, ['Adds: passed', 'Fails: failed', 'Keeps: passed', 'Adds: passed']],
    [
      'two styles, one of which its summary counts',
      'test adds ... ok\nok keeps (3 ms)\nadds … ok\n1 test passed\n',
      ['keeps: passed'],
    ],
  ])('V17 given the lines of %s, each test has its result', ([, text, names]) => {
    expect(named(text)).toEqual(names);
  });

  test.for<[string, string]>([
    ['a line more than its summary counts', MARKS.replace(' ✔ Keeps', ' ✔ Keeps\n ✔ invented')],
    ['a line less', MARKS.replace(' ✔ Keeps\n', '')],
    ['another result than its summary counts', MARKS.replace('✘ Fails', '✔ Fails')],
    ['no summary, as of a run that is cut', MARKS.slice(0, MARKS.indexOf('\n3 passed'))],
    ['lines behind its summary', `${MARKS} ✔ invented\n`],
    ['a summary that counts files', MARKS.replace('3 passed', 'Test Files  3 passed')],
    ['two totals that differ', 'PASS: a\n1 tests, 2 examples\n'],
    ['a summary alone', '3 tests, 0 failures\n'],
    ['a crash of googletest', GOOGLETEST.slice(0, GOOGLETEST.indexOf('g.cc:4'))],
  ])('V17 given %s, no test is known', ([, text]) => {
    expect(readVerbose(text)).toBeNull();
  });

  test('V17 given a suite of each of two runs, the tests of both are there, and those named alike are numbered', () => {
    expect(readVerbose(`${MARKS}${MARKS}`)?.tests.map(({ occurrence }) => occurrence)).toEqual([
      1, 1, 1, 2, 3, 2, 2, 4,
    ]);
    expect(readVerbose(MARKS)?.complete).toBe(true);
  });
});
