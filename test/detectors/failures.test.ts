import { expect, test } from 'vitest';
import { normalisedError } from '../../src/detectors/error-identity.ts';
import { failures } from '../../src/detectors/failures.ts';
import type { Outcome } from '../../machines/outcome.ts';
import { fc } from '../support/fast-check.ts';
import { foundIn, loopOf } from './folding.ts';

const outOf = (name: 'steps' | 'tool_calls', limit: number): { outcome: Outcome } => ({
  outcome: { ending: name === 'steps' ? 'cap_hit' : 'budget', limit: { name, used: limit, limit } },
});
/** Five that fell short, each for another reason. */
const short = [outOf('steps', 1), outOf('tool_calls', 1), outOf('steps', 2), outOf('tool_calls', 2), outOf('steps', 3)];

test('D9 five attempts in a row without success stop the loop, four do not', () => {
  expect(foundIn(failures(), loopOf(...short.slice(0, 4)))).toEqual([]);
  expect(foundIn(failures(), loopOf(...short))).toMatchObject([
    {
      detector: 'failures',
      level: 'stop',
      count: 5,
      message: '5 attempts in a row ended without success',
      evidence: { length: 5 },
    },
  ]);
});

test('D9 an attempt that came to its end between starts again', () => {
  expect(foundIn(failures(), loopOf(...short.slice(0, 4), {}, ...short.slice(0, 4)))).toEqual([]);
});

test('D9 the same error three times in a row stops the loop, twice does not, and another between starts again', () => {
  const same = outOf('steps', 20);
  expect(foundIn(failures(), loopOf(same, same))).toEqual([]);
  expect(foundIn(failures(), loopOf(same, same, outOf('steps', 7), same, same)).map(({ count }) => count)).toEqual([5]);
  expect(foundIn(failures(), loopOf(same, same, same))).toMatchObject([
    {
      count: 3,
      message: 'the same error 3 iterations in a row: step limit reached (20/20)',
      evidence: ['run/4', 'run/8', 'run/12'],
    },
  ]);
});

test('D9 what failed checks print is an error too, wherever and whenever it is printed', () => {
  const red = (at: string) => ({
    prints: `FAIL /tmp/${at}/clock.test.ts:1${at.length}:3 after ${at.length} ms\n  at 0x${at}`,
  });
  expect(foundIn(failures(), loopOf(red('ab12'), red('cd345'), red('ef6789')))).toMatchObject([{ count: 3 }]);
  expect(foundIn(failures(), loopOf(red('ab12'), { prints: 'FAIL another' }, red('ab12')))).toEqual([]);
  expect(foundIn(failures(), loopOf({ prints: null }, { prints: null }, { prints: null }))).toEqual([]);
});

test('D9 an error is known by what it says, not by when, where and how long', () => {
  const one = 'Error: EACCES at C:\\work\\a.ts:3:1, line 7, 0xdeadbeef, 2030-01-01T10:00:00.000Z (1.5 s)';
  const other = 'error: eacces at D:\\home\\b.ts:99:12, line 81, 0xc0ffee, 2031-12-24 11:30:00 (21 ms)';
  expect(normalisedError(one)).toBe(normalisedError(other));
  expect(normalisedError('expected 3, got 4')).not.toBe(normalisedError('expected 3, got 5'));
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000 }), (text) => {
      expect(normalisedError(text).length).toBeLessThanOrEqual(500);
      expect(normalisedError(text.toUpperCase().toLowerCase())).toBe(normalisedError(text.toUpperCase()));
    }),
  );
});
