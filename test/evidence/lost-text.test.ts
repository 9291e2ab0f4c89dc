import { describe, expect, test } from 'vitest';
import { checkedTests } from '../../src/evidence/tests-of-checks.ts';
import { crashLine, withCrash } from '../../src/evidence/run-crash.ts';
import { readGoOutput } from '../../src/evidence/go-output.ts';
import { lostText } from '../../src/evidence/loss-text.ts';
import { movedTests, renamesIn } from '../../src/evidence/test-moves.ts';
import { counted, type TestList, type TestResult } from '../../src/evidence/test-list.ts';
import { readTestRecords } from '../../src/evidence/test-records.ts';

const listOf = (file: string | null, names: readonly string[], result: TestResult['result'] = 'passed'): TestList => ({
  tests: counted(names.map((name) => ({ file, name, result }))),
  complete: true,
});
const joined = (...lists: readonly TestList[]): TestList => ({
  tests: lists.flatMap(({ tests }) => tests),
  complete: true,
});
const said = (start: TestList, now: TestList, second: TestList | null = null, passed = false) => {
  const leg = (list: TestList) => ({ checks: [{ name: 'unit', passed }], tests: new Map([['unit', list]]) });
  const [checked] = checkedTests(new Map([['unit', start]]), leg(now), second && leg(second));
  return checked ? lostText(checked).split('\n').slice(1) : [];
};
const names = (count: number) => Array.from({ length: count }, (_, index) => `Test${index}`);

/** As Go 1.19 printed it, kept by our script. */
const PANIC = `/here/lib
=== RUN   Test0
--- PASS: Test0 (0.00s)
=== RUN   Test1
=== RUN   Test1/x
--- FAIL: Test1 (0.00s)
    --- FAIL: Test1/x (0.00s)
panic: runtime error: index out of range [3] with length 0 [recovered]

goroutine 20 [running]:

loopfold: exit status 2
`;

describe('V17 a run that ended before its end says where, once', () => {
  test('V17 given a panic of Go, the tests behind it are counted, and those of other packages are named', () => {
    const start = joined(listOf('lib', names(300)), listOf('other', ['TestGone']));
    expect(said(start, readGoOutput(PANIC, ['/here']))).toEqual([
      '- the run ended in Test1 > x (lib): panic: runtime error: index out of range [3] with length 0 [recovered]; ' +
        '298 tests after it were not run',
      '- fails: lib: Test1',
      '- was not run: other: TestGone',
    ]);
  });

  test('V17 given a program of Go that has run to its end, tests that are gone are named', () => {
    const failed = PANIC.replace('panic: runtime error', 'no').replace('\ngoroutine', 'FAIL\ngoroutine');
    expect(said(listOf('lib', names(3)), readGoOutput(failed, ['/here']))).toEqual([
      '- fails: lib: Test1',
      '- was not run: lib: Test2',
    ]);
  });

  const begun = (name: string) => ({ begun: { file: 'a.py', path: [name] } });
  const records = (...lines: readonly object[]) =>
    readTestRecords([{ runner: 'x', directory: '/here' }, ...lines].map((line) => JSON.stringify(line)).join('\n'), [
      '/here',
    ]);

  test('V17 given a process that dies in a test, all tests behind it are counted, in any file', () => {
    const list = records(begun('Test0'), { file: 'a.py', path: ['Test0'], result: 'passed' }, begun('Test1'));
    if (!list) throw new Error('no report was read');
    const crashed = {
      ...list,
      ended: withCrash(list.ended ?? [], '.Fatal Python error: Segmentation fault\n\nThread\n'),
    };
    expect(said(joined(listOf('a.py', names(3)), listOf('b.py', ['TestB'])), crashed)).toEqual([
      '- the run ended in Test1 (a.py): Fatal Python error: Segmentation fault; 2 tests after it were not run',
    ]);
    expect(list.complete).toBe(false);
  });

  test('V17 given a runner that goes on, the tests of the file that died are counted, and no others', () => {
    const list = records(begun('Test1'), { file: 'a.py', path: [], result: 'failed', message: 'exit 1' }, { tests: 1 });
    if (!list) throw new Error('no report was read');
    expect(said(joined(listOf('a.py', names(3)), listOf('b.py', ['TestB'])), list)).toEqual([
      '- the run ended in Test1 (a.py); 2 tests after it were not run',
      '- was not run: b.py: TestB',
    ]);
  });

  test('V17 given a file that cannot be loaded, its tests are counted, with why', () => {
    const [broken] = counted([{ file: 'a.js', name: '', result: 'failed', message: 'SyntaxError: x\n  at y' }]);
    if (!broken) throw new Error('no test was made');
    expect(said(listOf('a.js', names(40)), { tests: [broken], complete: true })).toEqual([
      '- a.js failed outside of every test: SyntaxError: x; 40 tests of it were not run',
    ]);
  });

  test('V17 the line of a crash is the first of a kind that languages print, without what steers a terminal', () => {
    expect(crashLine('x\nfatal error: all goroutines are asleep\u001B[0m\n')).toBe(
      'fatal error: all goroutines are asleep',
    );
    expect(crashLine('all is well\n')).toBeNull();
    const ended = { file: null, name: 'a', within: 'run', said: 'known' } as const;
    expect(withCrash([ended], 'panic: other')).toEqual([ended]);
  });
});

describe('V17 tests of a file that moved are shown as moved', () => {
  const [from, to] = ['test/a.py', 'test/unit/a.py'];
  test('V17 given the same names in a new file, one line says where it moved', () => {
    const start = joined(listOf(from, names(30)), listOf('test/b.py', ['TestB']));
    const now = listOf('test/b.py', ['TestB'], 'failed');
    const second = joined(listOf(to, [...names(30), 'TestNew']), listOf('test/b.py', ['TestB']));
    expect(said(start, now, second)).toEqual([
      '- test/a.py moved to test/unit/a.py, with 30 tests',
      '- fails: test/b.py: TestB',
    ]);
  });

  test('V17 given one name that is nowhere else, or is skipped now, the file has not moved', () => {
    const lost = listOf(from, names(2)).tests.map((one) => ({ test: one, how: 'gone' as const }));
    expect([...movedTests(lost, listOf(to, names(2)).tests)]).toEqual([[from, to]]);
    expect([...movedTests(lost, listOf(to, names(1)).tests)]).toEqual([]);
    expect([
      ...movedTests(
        lost.map((one) => ({ ...one, how: 'skipped' as const })),
        listOf(to, names(2)).tests,
      ),
    ]).toEqual([]);
  });

  test('V17 given a patch with renames, each file has its new path', () => {
    const patch = `diff --git a/${from} b/${to}\nsimilarity index 90%\nrename from ${from}\nrename to ${to}\n`;
    expect([...renamesIn(patch)]).toEqual([[from, to]]);
  });
});
