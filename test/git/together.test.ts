import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { together } from '../../src/git/process/git-process.ts';

test('X4 work that runs side by side has ended before its first failure is thrown', async () => {
  let hasEnded = false;
  const slow = after(20).then(() => {
    hasEnded = true;
    throw new Error('the slow one');
  });
  const failed = Promise.reject(new Error('the quick one'));
  await expect(together([Promise.resolve(1), failed, slow])).rejects.toThrow('the quick one');
  expect(hasEnded).toBe(true);
  expect(await together([Promise.resolve(1), Promise.resolve('a')])).toEqual([1, 'a']);
});
