import { describe, expect, test } from 'vitest';
import { head, tail } from '../../src/text/excerpt.ts';
import { fc } from '../support/fast-check.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });
const room = fc.integer({ min: 2, max: 30 });

describe('a text cut to a readable size', () => {
  test('the start keeps the start, the end keeps the end', () => {
    expect(head('abcdef', 4)).toBe('abc…');
    expect(tail('abcdef', 4)).toBe('…def');
  });

  test('a text that fits is left alone', () => {
    expect(head('abcd', 4)).toBe('abcd');
    expect(tail('abcd', 4)).toBe('abcd');
  });

  test('a cut never exceeds its room, never splits a character, and is a piece of the text', () =>
    fc.assert(
      fc.property(text, room, (whole, maxChars) => {
        const start = head(whole, maxChars);
        const end = tail(whole, maxChars);
        for (const cut of [start, end]) {
          expect(cut.length).toBeLessThanOrEqual(maxChars);
          expect(cut.isWellFormed()).toBe(true);
        }
        if (whole.length <= maxChars) return;
        expect(whole.startsWith(start.slice(0, -1))).toBe(true);
        expect(whole.endsWith(end.slice(1))).toBe(true);
        expect(Math.min(start.length, end.length)).toBeGreaterThanOrEqual(maxChars - 1);
      }),
    ));
});
