import { describe, expect, test } from 'vitest';
import { MAX_BACKOFF_MS, MAX_TRIES, MAX_WAIT_MS, MAX_WAITS, nextAfter } from '../../../src/actors/model/patience.ts';
import { retryAfter } from '../../../src/actors/model/retry-after.ts';
import { fc } from '../../support/fast-check.ts';

const none = { retried: 0, limited: 0 };
const random = fc.double({ min: 0, max: 1, noNaN: true });
const afterMs = fc.option(fc.nat({ max: 1e9 }));

describe('patience has an end', () => {
  test('whatever fails, it is given up after so many tries and waits', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ kind: fc.constantFrom('retry' as const, 'wait' as const), afterMs, random }), {
          minLength: 60,
        }),
        (failures) => {
          const tries = { ...none };
          for (const { random, ...remedy } of failures) {
            const next = nextAfter(remedy, tries, random);
            if (next.kind === 'give_up') return;
            if (next.kind === 'again') tries.retried += 1;
            else tries.limited += 1;
          }
          expect(tries.retried + tries.limited).toBeLessThan(MAX_TRIES + MAX_WAITS);
        },
      ),
    ));

  test('a pause grows, is never longer than its limit, and never nothing', () =>
    fc.assert(
      fc.property(fc.nat({ max: MAX_TRIES - 2 }), random, (retried, chance) => {
        const next = nextAfter({ kind: 'retry', afterMs: null }, { retried, limited: 0 }, chance);
        expect(next).toMatchObject({ kind: 'again', afterMs: expect.any(Number) });
        const { afterMs: pause } = next as { afterMs: number };
        expect(pause).toBeGreaterThanOrEqual(500 * 2 ** retried);
        expect(pause).toBeLessThanOrEqual(Math.min(MAX_BACKOFF_MS, 1000 * 2 ** retried));
      }),
    ));

  test('the last try is the last', () => {
    const remedy = { kind: 'retry', afterMs: 5 } as const;
    expect(nextAfter(remedy, { retried: MAX_TRIES - 2, limited: 0 }, 0)).toEqual({ kind: 'again', afterMs: 5 });
    expect(nextAfter(remedy, { retried: MAX_TRIES - 1, limited: 0 }, 0)).toEqual({ kind: 'give_up' });
    expect(nextAfter({ kind: 'wait', afterMs: 5 }, { retried: 0, limited: MAX_WAITS }, 0)).toEqual({ kind: 'give_up' });
    expect(nextAfter(null, none, 0)).toEqual({ kind: 'give_up' });
  });

  test('what the provider asks for holds, up to the longest wait', () => {
    expect(nextAfter({ kind: 'wait', afterMs: 3_000 }, none, 1)).toEqual({ kind: 'wait', afterMs: 3_000 });
    expect(nextAfter({ kind: 'wait', afterMs: MAX_WAIT_MS + 1 }, none, 1)).toEqual({
      kind: 'wait',
      afterMs: MAX_WAIT_MS,
    });
    expect(nextAfter({ kind: 'wait', afterMs: null }, { retried: 0, limited: 2 }, 1)).toEqual({
      kind: 'wait',
      afterMs: 20_000,
    });
  });

  test('a long pause is a wait, so that it outlives the process', () => {
    expect(nextAfter({ kind: 'retry', afterMs: MAX_BACKOFF_MS }, none, 0).kind).toBe('again');
    expect(nextAfter({ kind: 'retry', afterMs: MAX_BACKOFF_MS + 1 }, none, 0)).toEqual({
      kind: 'wait',
      afterMs: MAX_BACKOFF_MS + 1,
    });
  });
});

describe('how long a provider asks to be left alone', () => {
  const now = Date.parse('2026-11-22T10:00:00.000Z');
  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Sun, 22 Nov 2026 10:00:09 GMT' }, 9_000],
    [{ 'retry-after': 'Sun, 22 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': 'later' }, null],
    [{ 'retry-after': '-3' }, null],
    [{}, null],
  ])('%o', (headers, milliseconds) => expect(retryAfter(headers, now)).toBe(milliseconds));

  test('no headers at all', () => expect(retryAfter(undefined, now)).toBeNull());
});
