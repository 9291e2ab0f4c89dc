import { describe, expect, test } from 'vitest';
import { MAX_BACKOFF_MS, MAX_TRIES, MAX_WAIT_MS, MAX_WAITS, nextAfter } from '../../../src/actors/model/patience.ts';
import { resetIn, retryAfter } from '../../../src/text/retry-after.ts';
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

  test.each([
    ['Rate limit reached for gpt-5 on tokens per min. Please try again in 8.2s. Visit …', 8_200],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in 20ms.', 20],
    ['Please try again in 1h2m3.5s.', 3_723_500],
    ['Please retry after 26 seconds.', 26_000],
    ['Your limit resets in 5 hours', 18_000_000],
    ['{"@type": "RetryInfo", "retryDelay": "34s"}', 34_000],
    ['Please retry in 34.074824224s.', 34_075],
    ['You will regain access on 2026-11-23 at 00:00 UTC.', 14 * 3_600_000],
    ['Usage limit reached, it resets at 2026-11-22T10:05:00Z', 300_000],
    ['Usage limit reached, it reset at 2026-11-22T09:05:00Z', 0],
    ['try again later', null],
    ['try again in 3 moons', null],
    ['it takes 8.2s', null],
  ])('B8 in the words of a refusal: %s', (words, milliseconds) => {
    expect(retryAfter({}, now, words)).toBe(milliseconds);
    expect(retryAfter({ 'retry-after': '7' }, now, words)).toBe(7_000);
  });

  test.each([
    [{ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
    [
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '2m59.56s',
        'x-ratelimit-reset-tokens': '9m',
      },
      179_560,
    ],
    [{ 'anthropic-ratelimit-input-tokens-reset': '2026-11-22T10:00:12Z' }, 12_000],
    [{ 'anthropic-ratelimit-unified-reset': String(now / 1_000 + 30) }, 30_000],
    [{ 'x-ratelimit-reset': String(now + 45_000) }, 45_000],
    [{ 'ratelimit-reset': '30' }, 30_000],
    [{ 'x-ratelimit-reset-tokens': '6ms' }, null],
    [{ 'x-ratelimit-reset-tokens': 'soon', 'x-ratelimit-limit-tokens': '30' }, null],
    [undefined, null],
  ])('B8 by the limits that it names: %o', (headers, milliseconds) => expect(resetIn(headers, now)).toBe(milliseconds));

  test('B8 a wait without a time of the provider is at most an hour', () =>
    expect(nextAfter({ kind: 'wait', afterMs: null }, { retried: 0, limited: MAX_WAITS - 1 }, 1)).toEqual({
      kind: 'wait',
      afterMs: 3_600_000,
    }));
});
