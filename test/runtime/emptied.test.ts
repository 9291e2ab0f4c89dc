import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptied } from '../../src/runtime/await-executions.ts';

const GRACE_MS = 5_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** An execution that is at work until it is ended. */
function atWork(working: Set<Promise<void>>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  working.add(promise);
  return async () => {
    working.delete(promise);
    resolve();
    await Promise.resolve();
  };
}

test('nothing at work is waited for by no timer', async () => {
  expect(await emptied(new Set(), GRACE_MS)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('what ends in time is waited for, also what it leaves behind', async () => {
  const working = new Set<Promise<void>>();
  const endFirst = atWork(working);
  const waiting = emptied(working, GRACE_MS);
  const endSecond = atWork(working);
  await endFirst();
  await vi.advanceTimersByTimeAsync(GRACE_MS - 1);
  await endSecond();
  expect(await waiting).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('what has ended and still counts is told, and waited for once', async () => {
  expect(await emptied(new Set([Promise.resolve()]), GRACE_MS)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('what is at work after the grace is told', async () => {
  const working = new Set<Promise<void>>();
  atWork(working);
  const waiting = emptied(working, GRACE_MS);
  await vi.advanceTimersByTimeAsync(GRACE_MS);
  expect(await waiting).toBe(false);
});

test.each(['before', 'while'])('a signal that comes %s it waits leaves no grace', async (when) => {
  const working = new Set<Promise<void>>();
  atWork(working);
  const controller = new AbortController();
  if (when === 'before') controller.abort();
  const waiting = emptied(working, GRACE_MS, controller.signal);
  controller.abort();
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(await waiting).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

test('a signal that never comes is listened to no longer than it waits', async () => {
  const { signal } = new AbortController();
  expect(await emptied(new Set(), GRACE_MS, signal)).toBe(true);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
