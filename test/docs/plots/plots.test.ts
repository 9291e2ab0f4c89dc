import { describe, expect, it } from 'vitest';
import { bars } from './bars.ts';
import { curves } from './curves.ts';
import { linear, logarithmic, written } from './scale.ts';
import { sheet } from './sheet.ts';

describe('a scale', () => {
  it('goes from zero to a round number that has room for all', () => {
    const { at, ticks } = linear(634, [100, 800]);
    expect(ticks).toEqual([0, 100, 200, 300, 400, 500, 600, 700]);
    expect([at(0), at(350), at(700)]).toEqual([100, 450, 800]);
  });

  it('has a place of equal width for each equal factor where it is logarithmic', () => {
    const { at, ticks } = logarithmic(60, 700, [0, 100]);
    expect(ticks).toEqual([50, 100, 200, 500, 1000]);
    expect(at(200) - at(100)).toBeCloseTo(at(100) - at(50), 6);
    expect([at(50), at(1000)]).toEqual([0, 100]);
  });

  it('is written with three digits, thousands apart', () => {
    expect([0, 0.1034, 2.5, 68.72, 785, 12_345.6].map(written)).toEqual(['0', '0.1', '2.5', '68.7', '785', '12,346']);
  });
});

describe('a plot', () => {
  const numbers = (text: string, name: string) => [...text.matchAll(new RegExp(`<rect[^>]* ${name}="([^"]+)"`, 'g'))];

  it('draws bars as long as their values, and says them', () => {
    const groups = [
      { heading: 'Cold', bars: [{ name: 'one', value: 100, low: 90, high: 120, ink: 'ours' as const }] },
      { heading: '', bars: [{ name: 'two', value: 50, ink: 'other' as const }] },
    ];
    const { drawn } = bars(groups, 'steps a second');
    const [one, two] = numbers(drawn.join('\n'), 'width').map(([, width]) => Number(width));
    expect((one ?? 0) / (two ?? 1)).toBeCloseTo(2, 1);
    for (const text of ['Cold', 'one', 'two', '100', '50', 'steps a second'])
      expect(drawn.join('')).toContain(`>${text}<`);
  });

  it('draws curves with the names of the axes, and what is wanted', () => {
    const points = [0, 1, 2].map((x) => ({ x, y: x * x, low: x, high: 5 }));
    const { drawn } = curves([{ name: 'squares', ink: 'ours', points }], {
      x: { name: 'number', scale: (range) => linear(2, range) },
      y: { name: 'its square', scale: (range) => linear(5, range) },
      wanted: { value: 3, name: 'wanted: 3' },
    });
    for (const text of ['squares', 'number', 'its square', 'wanted: 3']) expect(drawn.join('')).toContain(`>${text}<`);
    expect(drawn.filter((part) => part.startsWith('<circle'))).toHaveLength(3);
  });

  it('has a title for readers who do not see it, and other colours in dark viewers', () => {
    const text = sheet({ title: 'A < B', subtitle: 'in µs', width: 10, height: 10, drawn: [] });
    expect(text).toContain('<title>A &lt; B</title>');
    expect(text).toContain('@media (prefers-color-scheme:dark)');
    // Every colour of a shape is one that the style sheet knows.
    expect([...text.matchAll(/ fill="#/g)].length).toBe([...text.matchAll(/class="fill-/g)].length);
  });
});
