import { expect, test, vi } from 'vitest';
import { memoryLog } from '../../src/log/memory/engine.ts';
import { createHarness } from '../support/harness.ts';

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
    await live.done;
    expect(over).toEqual(['facts', 'deltas', 'waiting']);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
