import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scheduleClock } from '../../src/triggers/schedule-clock.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-02T10:30:00Z') }));
afterEach(() => void vi.useRealTimers());

/** A clock for every full hour, the runs that it has begun, and what it has said. */
function hourly(begin: () => Promise<string> = async () => 'r') {
  const said: string[] = [];
  const begun: string[] = [];
  const clock = scheduleClock(
    { cron: '0 * * * *' },
    {
      begin: () => {
        begun.push(new Date().toISOString());
        return begin();
      },
      say: (line) => said.push(line),
    },
  );
  return { clock, begun, said };
}

test('W5 a schedule whose times were slept through begins one run, and says how many those were', async () => {
  const { clock, begun, said } = hourly();
  // As a machine that is suspended: the time goes on, and no timer does.
  vi.setSystemTime(Date.now() + 5 * HOUR_MS);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun.length).toBe(1);
  expect(said).toEqual([
    expect.stringMatching(
      /: 5 of its times have passed without a run, since 2026-11-02T11:00:00\.000Z: .* one run begins now$/,
    ),
    expect.stringMatching(/: run r$/),
  ]);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect([begun.length, said.length]).toEqual([2, 3]);
  clock.stop();
});

test('W5 a schedule begins a run at each of its times, and says nothing of sleep', async () => {
  const { clock, begun, said } = hourly();
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  expect([begun, said.length]).toEqual([['2026-11-02T11:00:00.000Z', '2026-11-02T12:00:00.000Z'], 2]);
  clock.stop();
});

test('W5 times at which the last run has not begun yet begin one run as soon as it has', async () => {
  const first = Promise.withResolvers<string>();
  const { clock, begun, said } = hourly(() => first.promise);
  await vi.advanceTimersByTimeAsync(3 * HOUR_MS);
  expect([begun.length, said]).toEqual([1, []]);
  first.resolve('r');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([begun.length, said[1]]).toEqual([2, expect.stringContaining('2 of its times have passed without a run')]);
  clock.stop();
});

test('W5 a run that cannot begin is said, and the next time counts again', async () => {
  const { clock, begun, said } = hourly(() => Promise.reject(new Error('no key')));
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  expect([begun.length, said[0]]).toEqual([2, expect.stringContaining('run none: no key')]);
  clock.stop();
});
