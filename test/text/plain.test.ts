import { describe, expect, test } from 'vitest';
import { oneLine, plain } from '../../src/text/one-line.ts';
import { fc } from '../support/fast-check.ts';

describe('codes of terminals in foreign text', () => {
  test.each([
    ['a colour', '\u001b[38;2;1;2;3mred\u001b[0m', 'red'],
    ['a place of the cursor', '\u001b[?25l\u001b[2J\u009b1;1Hx', 'x'],
    ['a title with spaces', '\u001b]0;my title\u0007x', 'x'],
    ['a link', '\u001b]8;;https://one.example\u001b\\text\u001b]8;;\u001b\\.', 'text.'],
    ['another alphabet', '\u001b(Bx', 'x'],
    ['a code within a code', '\u001b\u001b[m[31mx', '[31mx'],
    ['the end of the text', 'x\u001b', 'x'],
  ])('B4 %s is removed', (_, text, shown) => expect(plain(text)).toBe(shown));

  test.each([
    ['\u001b]0;no end', '0;no end'],
    ['\u001b]0;no end\non this line\u0007', '0;no end\non this line'],
    ['\u001b[31\nm', '31\nm'],
    ['\u009d\u001b]\u001bPx', 'x'],
  ])('B4 of a code without an end, %j, only the opening is removed: %j', (text, shown) =>
    expect(plain(text)).toBe(shown),
  );

  test('B4 what is plain once is plain: removed codes leave no code', () => {
    const unit = fc.constantFrom('\u001b', '\u009b', '\u009d', '[', ']', '\\', '\u0007', 'm', '3', ';', ' ', '\n');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        expect(plain(plain(text))).toBe(plain(text));
        expect(plain(text)).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
    );
  });
});

describe('a foreign text as one line', () => {
  test('B4 is cut before it is cleaned: what is far behind its room is not read', () => {
    expect(oneLine(`${' '.repeat(100)}red\n\u001b[31m and green`, 8)).toBe('red and…');
    expect(oneLine(`${'\u001b[31m'.repeat(2_000)}far`, 8)).not.toContain('far');
    expect(oneLine('  short \n', 8)).toBe('short');
  });
});
