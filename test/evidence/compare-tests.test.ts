import { describe, expect, test } from 'vitest';
import { compareTests, type TestChange } from '../../src/evidence/compare-tests.ts';
import { counted, keyOf, type TestList, type TestResult } from '../../src/evidence/test-list.ts';
import { fc } from '../support/fast-check.ts';

type Word = TestResult['result'];

/** `file name=result` for each test. */
const list = (text: string, complete = true): TestList => ({
  complete,
  tests: counted(
    text.split(',').flatMap((word) => {
      const [, file = '', name = '', result = ''] = /^(\S+) (.*)=(\w+)$/.exec(word.trim()) ?? [];
      return result === '' ? [] : [{ file, name, result: result as Word }];
    }),
  ),
});

const named = ({ turned, kept, stillRed, fresh, lost, zero, reportMissing }: TestChange) => ({
  turned: turned.map(({ file, name }) => `${file} ${name}`),
  kept,
  stillRed: stillRed.map(({ test: { file, name }, how }) => `${file} ${name} ${how}`),
  fresh: fresh.map(({ file, name }) => `${file} ${name}`),
  lost: lost.map(({ test: { file, name }, how }) => `${file} ${name} ${how}`),
  ...(zero ? { zero } : {}),
  ...(reportMissing ? { reportMissing } : {}),
});

const NONE = { turned: [], kept: 0, stillRed: [], fresh: [], lost: [] };
const compared = (base: string, work: string) => named(compareTests(list(base), list(work)));

describe('V4 no test is lost', () => {
  test('V4 a test that passed before and fails, is skipped or is gone is lost', () => {
    expect(
      compared(
        'a one=passed, a two=passed, a three=passed, a four=passed',
        'a one=passed, a two=failed, a three=skipped',
      ),
    ).toEqual({
      ...NONE,
      kept: 1,
      lost: ['a two failed', 'a three skipped', 'a four gone'],
    });
  });

  test('V4 a test that failed before turns, or is still red where it fails or is gone, or is lost by a skip', () => {
    expect(
      compared(
        'a one=failed, a two=failed, a three=failed, a four=failed',
        'a one=passed, a two=failed, a four=skipped',
      ),
    ).toEqual({
      ...NONE,
      turned: ['a one'],
      stillRed: ['a two failed', 'a three gone'],
      lost: ['a four skipped'],
    });
  });

  test('V4 a test of the same name in another file is another test', () => {
    expect(compared('a one=passed', 'b one=passed')).toEqual({ ...NONE, fresh: ['b one'], lost: ['a one gone'] });
  });

  test('V4 tests of equal names are told apart by their order', () => {
    expect(compared('a one=passed, a one=failed', 'a one=passed, a one=passed')).toMatchObject({
      kept: 1,
      turned: ['a one'],
    });
    expect(compared('a one=passed, a one=passed', 'a one=passed')).toMatchObject({ kept: 1, lost: ['a one gone'] });
  });

  test('V4 a test that was skipped before demands nothing, and is new where it runs', () => {
    expect(compared('a one=skipped, a two=skipped, a three=passed', 'a two=failed, a three=passed')).toEqual({
      ...NONE,
      kept: 1,
      fresh: ['a two'],
    });
  });

  test('V4 of two reports of one test the worse counts', () => {
    const twice = { tests: [...list('a one=failed').tests, ...list('a one=passed').tests], complete: true };
    expect(named(compareTests(list('a one=passed'), twice))).toMatchObject({ lost: ['a one failed'] });
    expect(named(compareTests(twice, list('a one=passed')))).toMatchObject({ turned: ['a one'] });
  });

  test('V4 a file that could not be loaded has turned where tests of it run now', () => {
    expect(compared('a =failed', 'a one=passed')).toEqual({ ...NONE, turned: ['a '], fresh: ['a one'] });
    expect(compared('a =failed, b one=passed', 'b one=passed')).toEqual({ ...NONE, kept: 1, stillRed: ['a  gone'] });
  });

  test('V4 no tests at all, where the base had some, are named', () => {
    expect(compared('a one=failed', '')).toMatchObject({ stillRed: ['a one gone'], zero: true });
    expect(compared('a one=failed', 'a one=skipped')).toMatchObject({ zero: true });
    expect(compared('a one=skipped', '')).toEqual(NONE);
  });

  test('V4 a report that is missing or cut is named where the base had one', () => {
    const missing = (base: TestList | null, work: TestList | null) => compareTests(base, work).reportMissing;
    const [whole, cut] = [list('a one=passed'), list('a one=passed', false)];
    expect([missing(whole, null), missing(whole, cut), missing(cut, null), missing(null, cut)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([missing(whole, whole), missing(null, null), missing(null, whole), missing(cut, cut)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

const word = fc.constantFrom<Word>('passed', 'failed', 'skipped');
const lists = fc
  .array(fc.record({ file: fc.constantFrom('a', 'b', null), name: fc.constantFrom('one', 'two', ''), result: word }), {
    maxLength: 8,
  })
  .chain((tests) => fc.record({ tests: fc.constant(counted(tests)), complete: fc.boolean() }));

describe('V4 properties of the comparison', () => {
  test('V4 each test that ran on the base is in exactly one place', () => {
    fc.assert(
      fc.property(lists, lists, (base, work) => {
        const { turned, kept, stillRed, lost } = compareTests(base, work);
        const ran = base.tests.filter(({ result }) => result !== 'skipped');
        expect(turned.length + kept + stillRed.length + lost.length).toBe(ran.length);
        const named_ = [...turned, ...stillRed.map((missed) => missed.test), ...lost.map((missed) => missed.test)].map(
          keyOf,
        );
        expect(new Set(named_).size).toBe(named_.length);
      }),
    );
  });

  test('V4 a list against itself has lost nothing and turned nothing', () => {
    fc.assert(
      fc.property(lists, (base) => {
        const { turned, lost, fresh, zero, kept } = compareTests(base, base);
        expect([turned, lost, fresh, zero]).toEqual([[], [], [], false]);
        expect(kept).toBe(base.tests.filter(({ result }) => result === 'passed').length);
      }),
    );
  });

  test('V4 neither another order nor a further result of a test makes anything better', () => {
    fc.assert(
      fc.property(lists, lists, lists, (base, work, more) => {
        const again = { tests: more.tests.filter((one) => work.tests.some((other) => keyOf(one) === keyOf(other))) };
        const worse = { ...work, tests: [...again.tests, ...work.tests] };
        const [one, other] = [compareTests(base, work), compareTests(base, worse)];
        expect(named(compareTests(base, { ...work, tests: work.tests.toReversed() }))).toMatchObject({
          kept: one.kept,
          turned: named(one).turned,
          lost: named(one).lost,
        });
        const passing = (change: TestChange) => change.kept + change.turned.filter(({ name }) => name !== '').length;
        expect(passing(other)).toBeLessThanOrEqual(passing(one));
      }),
    );
  });
});
