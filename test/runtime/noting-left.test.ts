import { expect, test } from 'vitest';
import { leftAtWork, noteLeft } from '../../src/runtime/note-left-work.ts';

const working = () => Promise.withResolvers<void>();
const atWork = (log: object, root: string) => [...leftAtWork(log, root)];

test('R4 what a run left at work is known under its log and root, until each of it has ended', async () => {
  const log = {};
  const [one, other, again] = [working(), working(), working()];
  expect(atWork(log, 'a')).toEqual([]);
  noteLeft(log, 'a', [one.promise, other.promise]);
  expect(atWork(log, 'a')).toEqual([one.promise, other.promise]);
  expect(atWork(log, 'b')).toEqual([]);
  expect(atWork({}, 'a')).toEqual([]);
  one.resolve();
  await one.promise;
  expect(atWork(log, 'a')).toEqual([other.promise]);
  noteLeft(log, 'a', [again.promise]);
  expect(atWork(log, 'a')).toEqual([other.promise, again.promise]);
  other.resolve();
  again.resolve();
  await again.promise;
  expect(atWork(log, 'a')).toEqual([]);
});

test('R4 what is noted after all of it has ended is kept apart from what was', async () => {
  const log = {};
  const [first, second] = [working(), working()];
  noteLeft(log, 'a', [first.promise]);
  const before = leftAtWork(log, 'a');
  first.resolve();
  await first.promise;
  noteLeft(log, 'a', [second.promise]);
  expect(atWork(log, 'a')).toEqual([second.promise]);
  expect([...before]).toEqual([]);
  expect(leftAtWork(log, 'a')).not.toBe(before);
});
