import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { INBOX_POLL_MS, type InboxStore } from '../../src/log/inbox-store.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { watchInbox } from '../../src/runtime/inbox-poll.ts';
import { SharedTimer } from '../../src/runtime/shared-timer.ts';

// The log commits in the next turn of the event loop, which stays real.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] }),
);
afterEach(() => void vi.useRealTimers());

const abort = { type: 'abort.requested', payload: { reason: 'enough' } };

test('work of many runs is done under one timer, which stops with the last of them', () => {
  const done: string[] = [];
  const timer = new SharedTimer(100);
  const leaves = ['a', 'b', 'c'].map((name) => timer.join(() => void done.push(name)));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(done).toEqual(['a', 'b', 'c']);
  leaves[1]?.();
  vi.advanceTimersByTime(100);
  expect(done).toEqual(['a', 'b', 'c', 'a', 'c']);
  for (const leave of leaves) leave();
  expect(vi.getTimerCount()).toBe(0);
  timer.join(() => void done.push('d'));
  vi.advanceTimersByTime(100);
  expect(done.at(-1)).toBe('d');
});

test('a thousand trees ask the log once a round, and only those with commands look at their inbox', async () => {
  const log = memoryLog();
  let asked = 0;
  const counted: InboxStore = { ...log, waitingTrees: () => ((asked += 1), log.waitingTrees()) };
  const looked: string[] = [];
  const roots = Array.from({ length: 1_000 }, (_, n) => `run-${n}`);
  const leaves = roots.map((root) => watchInbox(counted, root, () => void looked.push(root)));
  await log.post('run-7', abort);
  await log.post('elsewhere', abort);
  await vi.advanceTimersByTimeAsync(INBOX_POLL_MS);
  expect(asked).toBe(1);
  expect(looked).toEqual(['run-7']);
  for (const leave of leaves) leave();
  await vi.advanceTimersByTimeAsync(10 * INBOX_POLL_MS);
  expect(asked).toBe(1);
});

test('a round that fails is repeated by the next, and none begins before the last is over', async () => {
  const log = memoryLog();
  const rounds: PromiseWithResolvers<readonly string[]>[] = [];
  const waitingTrees = () => {
    const round = Promise.withResolvers<readonly string[]>();
    rounds.push(round);
    return round.promise;
  };
  let looks = 0;
  const leave = watchInbox({ ...log, waitingTrees }, 'a', () => void (looks += 1));
  await vi.advanceTimersByTimeAsync(3 * INBOX_POLL_MS);
  expect(rounds).toHaveLength(1);
  rounds[0]?.reject(new Error('the disk'));
  await vi.advanceTimersByTimeAsync(INBOX_POLL_MS);
  rounds[1]?.resolve(['a']);
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toBe(1);
  leave();
});

test('a tree that leaves takes no word from another, nor from one that comes when all have left', async () => {
  const log = memoryLog();
  const looked: string[] = [];
  const watch = (root: string) => watchInbox(log, root, () => void looked.push(root));
  const leaves = { a: watch('a'), b: watch('b') };
  for (const root of ['a', 'b', 'c']) await log.post(root, abort);
  leaves.a();
  await vi.advanceTimersByTimeAsync(INBOX_POLL_MS);
  expect(looked).toEqual(['b']);
  leaves.b();
  expect(vi.getTimerCount()).toBe(0);
  const leave = watch('c');
  await vi.advanceTimersByTimeAsync(INBOX_POLL_MS);
  expect(looked).toEqual(['b', 'c']);
  leave();
});
