import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Measure } from '../../../machines/contest-facts.ts';
import { compareAttempts } from '../../../src/loops/contest/compare-attempts.ts';
import type { Contestant } from '../../../src/loops/contest/contest-memory.ts';
import { measure } from '../../support/contest-answers.ts';

const contestant = (lane: string, more: Partial<Contestant> = {}): Contestant => ({
  lane,
  model: 'agent:claude',
  prepared: null,
  child: `child-${lane}`,
  outcome: null,
  isStopped: false,
  measure: null,
  tree: null,
  lost: null,
  isChosen: false,
  isRefused: false,
  ...more,
});
const over = { mayBegin: false };
const work = (lane: string, of: Partial<Measure>): Contestant => contestant(lane, { measure: measure(of) });
const leaderOf = (...all: readonly Contestant[]) => compareAttempts(all, over).leader;

describe('which attempt is the best', () => {
  test('X6 the grade decides before the tests, the tests before the size, and the size last', () => {
    const weak = { grade: 'weak', enough: false } as const;
    expect(leaderOf(work('1', { ...weak, tests: { passed: 9, turned: 9, lost: 0 } }), work('2', {}))).toBe('2');
    const large = { change: { files: 9, lines: 900 } };
    expect(leaderOf(work('1', {}), work('2', { ...large, tests: { passed: 3, turned: 1, lost: 0 } }))).toBe('2');
    expect(leaderOf(work('1', large), work('2', {}))).toBe('2');
    expect(leaderOf(work('1', {}), work('2', {}))).toBe('1');
  });

  test('X6 an attempt that does not stand never leads, and one that changed nothing comes last', () => {
    expect(leaderOf(work('1', { stands: false }))).toBeNull();
    expect(
      leaderOf(work('1', { change: { files: 0, lines: 0 } }), work('2', { change: { files: 4, lines: 99 } })),
    ).toBe('2');
  });

  test('X6 what was chosen once is not chosen again', () => {
    expect(leaderOf(contestant('1', { measure: measure(), isChosen: true, isRefused: true }), work('2', {}))).toBe('2');
  });

  test('X6 the order of the attempts changes nothing', () => {
    const some = fc.record({
      stands: fc.boolean(),
      enough: fc.boolean(),
      grade: fc.constantFrom('witnessed', 'verified', 'weak', null),
      lines: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), fc.nat(), (all, turn) => {
        const attempts = all.map(({ lines, ...of }, index) =>
          work(String(index + 1), { ...of, change: { files: 1, lines } }),
        );
        const turned = [
          ...attempts.slice(turn % (attempts.length + 1)),
          ...attempts.slice(0, turn % (attempts.length + 1)),
        ];
        expect(compareAttempts(turned, over)).toEqual(compareAttempts(attempts, over));
      }),
    );
  });
});

describe('when it is decided', () => {
  const running = contestant('2', { child: null });

  test('X6 a result that is enough and cannot be exceeded ends those that run, and the table says so', () => {
    const { isDecided, because, attempts } = compareAttempts([work('1', {}), running], { mayBegin: true });
    expect(isDecided).toBe(true);
    expect(because).toMatch(/none that runs can have better evidence/);
    expect(attempts.map(({ lane, place }) => [lane, place])).toEqual([
      ['1', 'leads'],
      ['2', 'ended early'],
    ]);
  });

  test.each([
    ['may be exceeded by another grade', { grade: 'verified', surpassable: true }],
    ['is not enough', { grade: 'weak', enough: false }],
    ['has not been checked', { grade: null, enough: false, surpassable: true }],
  ] as const)('X6 a result that %s lets the others run on', (_why, of) => {
    expect(compareAttempts([work('1', of), running], over)).toMatchObject({ leader: '1', isDecided: false });
    expect(compareAttempts([work('1', of), contestant('2', { lost: 'gone' })], over)).toMatchObject({
      isDecided: true,
    });
  });

  test('X6 nothing is decided before attempts that may begin have begun', () => {
    expect(compareAttempts([work('1', { stands: false })], { mayBegin: true }).isDecided).toBe(false);
    expect(compareAttempts([work('1', { stands: false })], over)).toMatchObject({ isDecided: true, leader: null });
  });
});
