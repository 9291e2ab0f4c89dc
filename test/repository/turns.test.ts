import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TENTHS } from '../support/tier.ts';
import { FILES_IN_TURN, filesAtRest, hasTurn } from '../support/turns.ts';
import { emptyAtTimes } from './always-taken.ts';
import { root } from './tool.ts';
import { trackedTree } from './tree.ts';

const tenths = Array.from({ length: TENTHS }, (_none, tenth) => tenth);
const names = Array.from({ length: 50 }, (_none, index) => `the name ${index}`);
const SEED = 154_792_527;

test.each([SEED, SEED + 10])(
  'of ten tenths with the seed %i one takes a name, and all take it in a full run',
  (seed) => {
    for (const name of names) {
      expect(tenths.filter((tenth) => hasTurn(name, { seed, tenth, isFixed: false }))).toHaveLength(1);
      expect(hasTurn(name, { seed, tenth: null, isFixed: false })).toBe(true);
    }
  },
);

test('a name goes with another tenth where the seed is another one', () => {
  const tenthWith = (name: string, seed: number) =>
    tenths.find((tenth) => hasTurn(name, { seed, tenth, isFixed: false }));
  const seeds = tenths.map((index) => SEED + TENTHS * index);
  for (const name of names) expect(new Set(seeds.map((seed) => tenthWith(name, seed))).size).toBe(TENTHS);
});

test('a file in turn rests in nine tenths, unless it is asked for', () => {
  const [file = ''] = FILES_IN_TURN;
  const resting = (asked: readonly string[]) =>
    tenths.filter((tenth) => filesAtRest({ seed: SEED, tenth, isFixed: false }, asked).includes(file));
  expect(resting([])).toHaveLength(TENTHS - 1);
  expect(resting([file.slice(5)])).toEqual([]);
  expect(filesAtRest({ seed: SEED, tenth: null, isFixed: false }, [])).toEqual([]);
});

test('npm test takes nothing that takes turns, so that it is the same at every commit', () => {
  const fixed = { seed: SEED, tenth: 7, isFixed: true };
  for (const name of names) expect(hasTurn(name, fixed)).toBe(false);
  expect(filesAtRest(fixed, [])).toEqual(FILES_IN_TURN);
});

test('every file that takes turns is there', () => {
  expect(FILES_IN_TURN.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('no file and no group of tests is empty when it is the turn of none', () => {
  const files = [...trackedTree()].filter(([path]) => path.endsWith('.test.ts') && !FILES_IN_TURN.includes(path));
  expect(files.length).toBeGreaterThan(600);
  expect(files.flatMap(([path, source]) => emptyAtTimes(path, source))).toEqual([]);
});

test('a group without a test that is always taken is named', () => {
  const source = `describe('one', () => { testInTurn('a', run); testInTurn.each([1])('b', run); });
    describe('two', () => { testInTurn.runIf(can)('c', run); });`;
  expect(emptyAtTimes('a.test.ts', source)).toEqual([expect.stringMatching(/^a\.test\.ts: describe\('two'/)]);
  expect(emptyAtTimes('b.test.ts', "testInTurn('a', run);")).toEqual(['b.test.ts']);
});
