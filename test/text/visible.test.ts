import { expect, test } from 'vitest';
import { visible } from '../../src/text/visible.ts';

test.each([
  ['a soft hyphen', 'pass\u00ADword', 'password'],
  ['blanks without width', 'a\u200B\u2060\uFEFFb', 'ab'],
  ['invisible operators', 'f\u2061\u2062\u2063\u2064x', 'fx'],
  ['joiners between Latin letters', 'a\u200C\u200Db', 'ab'],
  ['a second joiner between Persian letters', 'می\u200C\u200D\u200Cخواهم', 'میخواهم'],
  ['a joiner at the end of a picture', '🚀\u200D.', '🚀.'],
  ['tags, and selectors that spell a text', 'ok\u{E0041}\u{E0100}\u{E01EF}\uFE00\uFE01.', 'ok.'],
  ['a run of selectors behind a picture', '🚀\uFE0F\uFE0E\uFE0F', '🚀\uFE0F'],
  ['a selector behind a digit that is no key', '1\uFE0F2', '12'],
  ['fillers', 'a\u3164\u115F\uFFA0b', 'ab'],
])('B4 %s: not seen, and removed', (_, text, shown) => expect(visible(text)).toBe(shown));

test.each([
  ['a Persian word in two parts', 'می\u200Cخواهم'],
  ['a Hindi conjunct', 'क्\u200Dष क्\u200Cष'],
  ['a picture of several', '👩\u200D🚀 👩🏽\u200D🚀 ❤\uFE0F\u200D🔥'],
  ['a sign in colour, and a key', '❤\uFE0F 1\uFE0F\u20E3'],
  ['text of other scripts', 'naïve 漢字 한글 ภาษา עברית'],
])('B4 %s: joined, and left as it is', (_, text) => expect(visible(text)).toBe(text));
