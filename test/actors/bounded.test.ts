import { describe, expect, test } from 'vitest';
import { BoundedText, boundText } from '../../src/actors/bound-text.ts';
import { fc } from '../support/fast-check.ts';

const bytesOf = (text: string) => Buffer.byteLength(text);
const chunks = fc.array(fc.string({ unit: 'binary', maxLength: 120 }), { maxLength: 20 });
const limits = fc.integer({ min: 64, max: 700 });

function bound(parts: readonly string[], maxBytes: number): string {
  const bounded = new BoundedText(maxBytes);
  for (const part of parts) bounded.add(part);
  return bounded.toString();
}

/** Head, bytes said to be left out, tail. */
function split(shown: string): { head: string; cut: number; tail: string } {
  const [, head = '', cut = '', tail = ''] = /^([^]*)\n\[… (\d+) bytes left out …\]\n([^]*)$/.exec(shown) ?? [];
  return { head, cut: Number(cut), tail };
}

describe('text within a limit', () => {
  test('what fits is kept whole', () =>
    fc.assert(
      fc.property(chunks, limits, (parts, maxBytes) => {
        const whole = parts.join('');
        fc.pre(bytesOf(whole) <= maxBytes);
        expect(bound(parts, maxBytes)).toBe(whole);
      }),
    ));

  test('the limit itself still fits, one byte more does not', () => {
    expect(boundText('x'.repeat(100), 100)).toBe('x'.repeat(100));
    expect(boundText('x'.repeat(101), 100)).toContain('bytes left out');
  });

  test('what does not fit keeps all of head and tail there is room for, no character split, the gap counted', () =>
    fc.assert(
      fc.property(chunks, limits, (parts, maxBytes) => {
        const whole = parts.join('');
        fc.pre(bytesOf(whole) > maxBytes);
        const shown = bound(parts, maxBytes);
        const { head, cut, tail } = split(shown);
        expect(bytesOf(shown)).toBeLessThanOrEqual(maxBytes);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(bytesOf(head) + cut + bytesOf(tail)).toBe(bytesOf(whole));
        const room = Math.floor((maxBytes - 64) / 2);
        for (const kept of [head, tail]) expect(bytesOf(kept)).toBeGreaterThanOrEqual(room - 3);
      }),
    ));

  test('it does not matter in which pieces it came', () =>
    fc.assert(
      fc.property(chunks, limits, (parts, maxBytes) => {
        expect(bound(parts, maxBytes)).toBe(boundText(parts.join(''), maxBytes));
      }),
    ));

  test('half a character becomes a mark for one that cannot be shown, however long the text is', () => {
    for (const text of ['\ud800', `a\udc00${'x'.repeat(50)}`]) expect(boundText(text, 64)).toBe(bound([text], 64));
    expect(boundText('\ud800', 64)).toBe('\ufffd');
  });

  test('a limit without room for the note that names the gap is a mistake', () =>
    expect(() => new BoundedText(63)).toThrow('expected at least 64, got 63'));

  test('half a surrogate becomes text that UTF-8 can hold', () => expect(boundText('a\ud800b', 100)).toBe('a\ufffdb'));
});
