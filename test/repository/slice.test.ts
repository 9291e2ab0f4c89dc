import { expect, test } from 'vitest';
import { hasRoom, partsOf, sharingTests, SLICE_MS, tenthsLeft } from './slice.ts';
import { trackedTree } from './tree.ts';

test('the slice runs every test file that takes a tenth of something, and no other', () => {
  const tree = new Map([
    ['test/a.test.ts', 'for (const one of tenthOf(all)) look(one);'],
    ['test/b.test.ts', "import { many } from './b.contract.ts';"],
    ['test/b.contract.ts', 'const RUNS = tenthOfMany(600);'],
    ['test/c.test.ts', "import { seed } from './support/seed.ts';"],
    ['src/d.ts', 'tenthOf(all)'],
  ]);
  expect(sharingTests(tree)).toEqual(['test/a.test.ts', 'test/b.test.ts']);
});

test('what is exhaustive in this repository is in the slice', () => {
  expect(sharingTests(trackedTree())).toEqual(
    expect.arrayContaining([
      'test/actors/tools/confinement.fuzz.test.ts',
      'test/detectors/kinds.test.ts',
      'test/log/sqlite.tampering.test.ts',
      'test/mutation/mutation.test.ts',
      'test/simulation/crash.test.ts',
      'test/simulation/people.test.ts',
      'test/testing/invariants.iteration.test.ts',
      'test/testing/invariants.turn.test.ts',
    ]),
  );
});

test('a slice takes the tenths in their order, its own first', () => {
  expect(tenthsLeft({ seed: 1, tenth: 7, isFixed: false })).toEqual([7, 8, 9, 0, 1, 2, 3, 4, 5, 6]);
});

test('a tenth is begun while the longest so far would still be over in time', () => {
  expect(hasRoom([])).toBe(true);
  expect(hasRoom([SLICE_MS / 4, SLICE_MS / 3])).toBe(true);
  expect(hasRoom([SLICE_MS / 4, SLICE_MS / 2])).toBe(false);
});

test('each file of the slice is in one of its parts, the last ones too', () => {
  for (const count of [0, 1, 40, 41, 262]) {
    const files = Array.from({ length: count }, (_, index) => `test/${index}.test.ts`);
    expect(partsOf(files).flat()).toEqual(files);
    expect(partsOf(files).every((part) => part.length > 0 && part.length <= 40)).toBe(true);
  }
});
