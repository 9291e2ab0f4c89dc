import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../src/text/duration.ts';
import { fc } from '../support/fast-check.ts';

describe('times as people write them', () => {
  test.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['30d', 2_592_000_000],
  ])('%s', (text, durationMs) => expect(parseDuration(text)).toBe(durationMs));

  test.each(['30', '', 'm', '-5m', '1.5h', '5 m', '30M', '1h30m', '5w'])('%j is no time', (text) =>
    expect(parseDuration(text)).toBeNull(),
  );

  test.each([
    [1_800_000, '30m'],
    [90_000, '90s'],
    [60_000, '1m'],
    [5_400_000, '90m'],
    [1_500, '1500ms'],
    [0, '0ms'],
    [172_800_000, '2d'],
  ])('%i ms are written as %s', (durationMs, text) => expect(formatDuration(durationMs)).toBe(text));

  test('what was written is read as the same time', () =>
    fc.assert(
      fc.property(fc.nat(), (durationMs) => {
        expect(parseDuration(formatDuration(durationMs))).toBe(durationMs);
      }),
    ));
});
