import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { aroundAppend } from '../support/around-append.ts';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import { tool, stopped } from '../support/stand-ins.ts';

test('a tree that is left ends its streams and its timers', async () => {
  const over: string[] = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const harness = createHarness({ log: memoryLog(), model: { answers: [{ text: 'done' }] } });
    const live = await harness.supervisor.start(harness.settingsOf({}), (facts, deltas) => {
      facts.subscribe({ complete: () => over.push('facts') });
      deltas.subscribe({ complete: () => over.push('deltas') });
    });
    live.waiting.subscribe({ complete: () => over.push('waiting') });
    // The inbox is looked at, and the lease is renewed.
    expect(vi.getTimerCount()).toBe(2);
    const other = await harness.supervisor.start(harness.settingsOf({}));
    // One timer for both trees each.
    expect(vi.getTimerCount()).toBe(2);
    await Promise.all([live.done, other.done]);
    expect(over).toEqual(['facts', 'deltas', 'waiting']);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a tree whose root has failed waits for the runs below, which record that they were paused', async () => {
  const log = memoryLog();
  const failing = aroundAppend(log, async (request, append) => {
    const isAbort = request.events.some(({ type }) => type === 'abort.requested');
    if (isAbort) throw new Error('the disk is gone');
    return append(request);
  });
  const slow = tool('slow', async (_input, context) => {
    context.delta('slow');
    await stopped(context);
    await delay(50);
    return { output: 'late' };
  });
  const harness = createHarness({ log: failing, tools: [slow], model: { answers: [{ calls: [{ tool: 'slow' }] }] } });
  const { run, observer, abort, done } = await harness.start({ loop: 'iteration', checks: ['true'] });
  const { run: child } = await observer.untilDelta(({ text }) => text === 'slow');
  void abort();
  await expect(done).rejects.toThrow('the disk is gone');
  expect((await history(log, child)).at(-1)?.type).toBe('run.paused');
  expect(await log.holder(run)).toBeNull();
});
