import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/actors/timer/clock.ts';
import { timerActor } from '../../../src/actors/timer/timer-actor.ts';
import { fc } from '../../support/fast-check.ts';
import { performed } from '../performed.ts';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');
const DAY_MS = 86_400_000;
const fired = { type: 'timer.fired', payload: { timer: 'deadline' } };

/** What the timer has said so far; time stands still until the test moves it. */
function started(dueAt: string | null, signal?: AbortSignal) {
  const timer = { said: [] as unknown[], over: false };
  const ended = performed(timerActor(systemClock), { timer: 'deadline', dueAt }, signal).then(({ events }) => {
    timer.said = events;
    timer.over = true;
  });
  return { timer, ended };
}

const iso = (time: number) => new Date(time).toISOString();

describe('L17 a timer fires at its time', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }));
  afterEach(() => void vi.useRealTimers());

  test('L17 neither a millisecond early nor a millisecond late, however far away', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 * DAY_MS }), async (milliseconds) => {
        vi.setSystemTime(NOW);
        const { timer, ended } = started(iso(NOW + milliseconds));
        await vi.advanceTimersByTimeAsync(milliseconds - 1);
        expect(timer.over).toBe(false);
        await vi.advanceTimersByTimeAsync(1);
        await ended;
        expect(timer.said).toEqual([fired]);
      }),
      { numRuns: 20 },
    ));

  test('L17 at once when its time has passed', async () => {
    const { timer, ended } = started(iso(NOW - 1));
    await ended;
    expect(timer.said).toEqual([fired]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('L17 a time beyond 2^31 ms is not taken for now', async () => {
    const { timer, ended } = started(iso(NOW + 40 * DAY_MS));
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(timer.over).toBe(false);
    await vi.advanceTimersByTimeAsync(39 * DAY_MS);
    await ended;
    expect(timer.said).toEqual([fired]);
  });

  test.each([2 * DAY_MS, -2 * DAY_MS])(
    'B3 it fires after the time that passed, though the clock jumps by %d ms',
    async (jumpMs) => {
      const { timer, ended } = started(iso(NOW + DAY_MS));
      await vi.advanceTimersByTimeAsync(1_000);
      vi.setSystemTime(Date.now() + jumpMs);
      await vi.advanceTimersByTimeAsync(DAY_MS - 1_001);
      expect(timer.over).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await ended;
      expect(timer.said).toEqual([fired]);
    },
  );

  test('B3 its time is by the clock of the run, which another process may have left ahead', async () => {
    const aheadMs = 3 * DAY_MS;
    const call = { id: 'run/1/0', attempt: 1, signal: new AbortController().signal, delta: () => {} };
    const input = { timer: 'deadline', dueAt: iso(NOW + aheadMs + 1_000) } as const;
    const said = timerActor(systemClock).execute(input, { ...call, now: () => Date.now() + aheadMs });
    const first = said[Symbol.asyncIterator]().next();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await first).value).toEqual(fired);
  });

  test('L17 without a time it never fires, and ends when told to', async () => {
    const told = new AbortController();
    const { timer, ended } = started(null, told.signal);
    await vi.advanceTimersByTimeAsync(3 * DAY_MS);
    expect(timer.over).toBe(false);
    told.abort('abort');
    await ended;
    expect(timer.said).toEqual([]);
  });

  test('T11 told to stop it ends at once, says nothing and leaves no timer behind', async () => {
    const told = new AbortController();
    const { timer, ended } = started(iso(NOW + DAY_MS), told.signal);
    await vi.advanceTimersByTimeAsync(1_000);
    told.abort('pause');
    await ended;
    expect(timer.said).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('T11 told to stop before it starts, it does not even fire for a time that has passed', async () => {
    const { timer, ended } = started(iso(NOW - 1), AbortSignal.abort('abort'));
    await ended;
    expect(timer.said).toEqual([]);
  });
});

test('L17 a waiting timer does not keep the process alive', async () => {
  const clock = new URL('../../../src/actors/timer/clock.ts', import.meta.url).href;
  const program = `import { systemClock } from '${clock}';
    void systemClock.sleepUntil(Date.now() + 600_000, new AbortController().signal);`;
  const { exitCode } = await execa(process.execPath, ['--input-type=module', '--eval', program], { timeout: 120_000 });
  expect(exitCode).toBe(0);
});

test('L17 a timer that was lost in a crash may be started again', () => {
  expect(timerActor(systemClock).effectClass({ timer: 'grace', dueAt: null })).toBe('repeatable');
});
