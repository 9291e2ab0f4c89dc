import { describe, expect, test } from 'vitest';
import { type Colour, palettes } from '../../../src/charts/drawing/palette.ts';

const endings = ['success', 'limit', 'repetition', 'abort'] as const;

const words: readonly (readonly [Colour, readonly Colour[]])[] = [
  ['text', ['page', 'box', 'whole', 'final', 'here', ...endings]],
  ['muted', ['box', 'whole', 'final', 'here', ...endings]],
  ['faint', ['page', 'box', 'whole', 'here']],
];
const lines: readonly (readonly [Colour, readonly Colour[]])[] = [
  ['border', ['page', 'whole']],
  ['line', ['page', 'whole']],
  ['pale', ['page', 'whole']],
  ['active', ['page', 'whole', 'here', ...endings]],
  ...endings.map((ending): (typeof lines)[number] => [`${ending}Edge`, ['page', ending]]),
];

describe.each(Object.entries(palettes))('in %s', (_, palette) => {
  test.each(words)('%s is read on what it is written on', (colour, grounds) => {
    expect(grounds.filter((ground) => contrast(palette[colour], palette[ground]) < 4.5)).toEqual([]);
  });

  test.each(lines)('%s is seen on what it is drawn on', (colour, grounds) => {
    expect(grounds.filter((ground) => contrast(palette[colour], palette[ground]) < 3)).toEqual([]);
  });

  test('no two colours are the same: an element is found by the one that is written on it', () => {
    expect(new Set(Object.values(palette)).size).toBe(Object.keys(palette).length);
  });

  test('a way that was never taken is fainter than one that was', () => {
    expect(contrast(palette.faint, palette.page)).toBeLessThan(contrast(palette.text, palette.page) / 2);
  });
});

/** As the Web Content Accessibility Guidelines count it: from 1 for the same colour to 21 for black on white. */
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
