import { describe, expect, test } from 'vitest';
import { excerptOfMessage, head, roomForEach, tail } from '../../src/text/excerpt.ts';
import { fc } from '../support/fast-check.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });
const room = fc.integer({ min: 2, max: 30 });

describe('a text cut to a readable size', () => {
  test('head keeps the beginning of a long text, and tail its end', () => {
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

describe('a message cut to its head and its tail', () => {
  const MIDDLE = '[… the middle is left out …]';

  test('says so in a line of its own, where there is room for one', () => {
    const long = `head ${'x'.repeat(2_000)} tail`;
    expect(excerptOfMessage(long, 2_010)).toBe(long);
    expect(excerptOfMessage(long, 700)).toMatch(/^head x+\n\[… the middle is left out …\]\nx+ tail$/);
    expect(excerptOfMessage(long, 700, '  ')).toContain(`\n  ${MIDDLE}\n  x`);
    expect(excerptOfMessage(long, 100)).toMatch(/^head x+…x+ tail$/);
  });

  test('is never longer than its room', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 3_000 }),
        fc.integer({ min: 2, max: 2_000 }),
        (whole, room) => {
          const cut = excerptOfMessage(whole, room);
          expect(cut.length).toBeLessThanOrEqual(room);
          expect(cut.isWellFormed() || !whole.isWellFormed()).toBe(true);
        },
      ),
    ));
});

test('texts share a room: short ones are whole, and long ones have the rest in equal parts', () => {
  expect(roomForEach([10, 500, 900], 1_000)).toBe(495);
  expect(roomForEach([500, 500], 1_000)).toBe(Infinity);
  expect(roomForEach([], 10)).toBe(Infinity);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 500 }), { maxLength: 20 }), fc.nat({ max: 3_000 }), (lengths, chars) => {
      const each = roomForEach(lengths, chars);
      const used = lengths.reduce((sum, length) => sum + Math.min(length, each), 0);
      expect(used).toBeLessThanOrEqual(chars);
      if (each < Infinity) expect(used + lengths.length).toBeGreaterThan(chars);
    }),
  );
});
