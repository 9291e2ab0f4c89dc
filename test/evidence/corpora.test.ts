import { expect, test } from 'vitest';
import { ATTACKS } from './attacks/index.ts';
import { HONEST } from './honest/index.ts';
import { NAMED } from './named.ts';

const MEASURED = 13;

test('V9 at least 60 attacks are stopped, 6 are named, and 40 honest changes are not refused', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(60);
  expect(NAMED.length).toBeGreaterThanOrEqual(6);
  expect(HONEST.length).toBeGreaterThanOrEqual(40);
  expect(ATTACKS.filter(({ measured }) => measured).length).toBeGreaterThanOrEqual(MEASURED);
});

test('V9 no two stories have one name', () => {
  const names = [...ATTACKS, ...NAMED, ...HONEST].map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('V9 at least 12 honest changes leave all as it does, and are enough', () => {
  const kept = HONEST.filter(
    ({ kind, ends, enough }) => kind === 'refactoring' && ends === 'verified' && enough !== false,
  );
  expect(kept.length).toBeGreaterThanOrEqual(12);
});
