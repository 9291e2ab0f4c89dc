import { describe, expect, test } from 'vitest';
import { fit, widthOf } from '../../src/cli/terminal/width.ts';
import { fc } from '../support/fast-check.ts';

const letters = fc.string({
  unit: fc.constantFrom('a', 'é', 'e\u0301', '漢', 'ｱ', 'Ａ', '한', '🎉', '👩‍🚀', '·', ' ', '\t'),
  maxLength: 30,
});
const coloured = fc
  .array(fc.tuple(letters, fc.constantFrom('', '\u001b[31m', '\u001b[1m')), { maxLength: 5 })
  .map((parts) => parts.map(([text, code]) => (code === '' ? text : `${code}${text}\u001b[0m`)).join(''));

describe('the columns a text takes', () => {
  test.for([
    ['plain', 5],
    ['', 0],
    ['漢字', 4],
    ['한글', 4],
    ['ｱｲ', 2],
    ['Ａ', 2],
    ['e\u0301', 1],
    ['🎉', 2],
    ['👩‍🚀', 2],
    ['\u001b[31mred\u001b[0m', 3],
  ] as const)('%s takes %i', ([text, columns]) => expect(widthOf(text)).toBe(columns));

  test('a line is cut to what fits, and to no less than it has to be', () => {
    fc.assert(
      fc.property(coloured, fc.integer({ min: 1, max: 40 }), (line, columns) => {
        const whole = line.replaceAll('\t', '  ');
        const shown = fit(line, columns);
        expect(widthOf(shown)).toBeLessThanOrEqual(columns);
        if (widthOf(whole) <= columns) expect(shown).toBe(whole);
        // At most one wide character did not fit beside the mark.
        else expect(widthOf(shown)).toBeGreaterThanOrEqual(columns - 1);
      }),
    );
  });

  test('a colour that was begun before the cut is ended after it', () => {
    expect(fit('\u001b[31mred and more\u001b[0m', 5)).toBe('\u001b[31mred …\u001b[0m');
  });
});
