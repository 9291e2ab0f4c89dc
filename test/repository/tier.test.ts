import { expect, test } from 'vitest';
import { takesAll, tenthOf, tenthOfMany } from '../support/tenth.ts';
import { TENTHS, tierOf, tierOfCommit } from '../support/tier.ts';
import { root, run } from './tool.ts';

const tenths = Array.from({ length: TENTHS }, (_none, tenth) => tenth);
const upTo = (count: number): number[] => Array.from({ length: count }, (_none, index) => index);

test.each([10, 11, 57, 100, 1_234])('ten tenths of a set of %i are the whole set, each member once', (count) => {
  const taken = tenths.flatMap((tenth) => tenthOf(upTo(count), tenth));
  expect(taken.toSorted((one, other) => one - other)).toEqual(upTo(count));
  expect(tenthOf(upTo(count), null)).toEqual(upTo(count));
});

test.each([1, 2, 7, 9])('a tenth of a set of %i has a member, and the tenths together have all', (count) => {
  const taken = tenths.map((tenth) => tenthOf(upTo(count), tenth));
  expect(taken.filter((some) => some.length === 0)).toEqual([]);
  expect([...new Set(taken.flat())].toSorted()).toEqual(upTo(count));
});

test('a tenth of pairs has both members of pairs', () => {
  for (const tenth of tenths) expect(new Set(tenthOf(upTo(40), tenth).map((number) => number % 2)).size).toBe(2);
});

test('of many drawn cases a tenth is drawn, at least one', () => {
  expect([10_000, 57, 1].map((all) => tenthOfMany(all, 3))).toEqual([1_000, 6, 1]);
  expect(tenthOfMany(10_000, null)).toBe(10_000);
});

test('npm test takes the same at every commit, a slice goes by the commit, and both may be given', () => {
  const commit = Number.parseInt(run('git', ['rev-parse', 'HEAD'], root).stdout.slice(0, 7), 16);
  expect(tierOfCommit({}, root)).toEqual({ seed: commit, tenth: commit % TENTHS, isFixed: false });
  expect(tierOfCommit({ TEST_SEED: '124' }, root)).toEqual({ seed: 124, tenth: 4, isFixed: false });
  expect(tierOf({})).toEqual({ seed: 20_261, tenth: 1, isFixed: true });
  expect(tierOf({ TEST_SEED: '124' })).toEqual({ seed: 124, tenth: 4, isFixed: true });
  expect(tierOf({ TEST_SEED: '124', TEST_TENTH: '7' })).toEqual({ seed: 124, tenth: 7, isFixed: false });
  expect(tierOf({ TEST_SEED: '124', TEST_TENTH: 'all' })).toEqual({ seed: 124, tenth: null, isFixed: false });
});

test.each([
  [{ TEST_SEED: 'x' }, 'TEST_SEED=x is not a whole number from 0 to 2147483647. Give one.'],
  [{ TEST_TENTH: '10' }, 'TEST_TENTH=10 is not a whole number from 0 to 9. Give one, or all.'],
])('%o is refused with what to give', (env, message) => expect(() => tierOf(env)).toThrow(message));

test('the tests are told by the environment what the run has printed', () => {
  const { seed, tenth, isFixed } = tierOf(process.env);
  const told = isFixed ? '' : String(tenth ?? 'all');
  expect([process.env['TEST_SEED'], process.env['TEST_TENTH']]).toEqual([String(seed), told]);
  expect(takesAll).toBe(tenth === null);
});
