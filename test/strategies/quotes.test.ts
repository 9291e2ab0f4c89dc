import { describe, expect, test } from 'vitest';
import { checkCompletionPromise } from '../../src/ralph/index.ts';
import { withoutQuotes } from '../../src/strategies/quotes.ts';
import { fc } from '../support/fast-check.ts';
import { testInTurn } from '../support/in-turn.ts';

/** The same as patterns alone, which read on from each opening sign anew. */
const PLAIN: readonly RegExp[] = [
  /^[ \t]*(`{3,}|~{3,})[^\n]*\n[^]*?(^[ \t]*\1[`~]*[ \t]*$|(?![^]))/gm,
  /(?<!`)(`{1,3})(?!`)[^\n]{0,1999}?[^`\n]\1(?!`)/g,
  /^[ \t]*>[^\n]*$/gm,
  /^(?: {4}|\t)[^\n]*$/gm,
  /"(?:[^"\n]|\n(?![ \t]*\n)){0,2000}"/g,
  /“[^”]{0,2000}”|„[^“”]{0,2000}[“”]|«[^»]{0,2000}»|「[^」]{0,2000}」/g,
  /(?<![\p{L}\p{N}])['‘](?=\S)(?:(?!\n[ \t]*\n)[^'’]|['’](?=[\p{L}\p{N}])){0,500}['’](?![\p{L}\p{N}])/gu,
];
const plainly = (text: string): string => PLAIN.reduce((left, shown) => left.replace(shown, '\u2026'), text);

const PROMISE = '<promise>DONE</promise>';
const SIGNS = [...'“”„«»「」\'‘’"`>~ .:\n\t', "'", "'", '```', '\n\n', '\n \n', 'a', 'é', '7', '🎉', 'Done.', PROMISE];
const lengths = [498, 499, 500, 501, 1_998, 1_999, 2_000, 2_001];
const piece = fc.oneof(
  { arbitrary: fc.constantFrom(...SIGNS), weight: 30 },
  { arbitrary: fc.constantFrom(...lengths).map((length) => 'x'.repeat(length)), weight: 1 },
);
const answer = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('R2 quotations in an answer', () => {
  test('R2 are those that the patterns alone find', () => {
    const isSame = (text: string): boolean => withoutQuotes(text) === plainly(text);
    fc.assert(fc.property(answer, isSame), { numRuns: 3_000 });
  });

  test.each(['“”', '„“', '„”', '«»', '「」', '""', "''", '‘’', '``'])(
    'R2 %s are as long as by the patterns',
    (signs) => {
      for (const length of lengths) {
        const text = signs.split('').join('x'.repeat(length));
        expect(withoutQuotes(text)).toBe(plainly(text));
      }
    },
  );

  test('R2 an answer in front of the end promises as much as with its quotations left out', () => {
    const isBehind = (text: string): boolean => plainly(`${text}Done. ${PROMISE}`).endsWith(`Done. ${PROMISE}`);
    fc.assert(
      fc.property(
        answer.filter((text) => !text.includes(PROMISE)),
        (text) => {
          const promised = checkCompletionPromise(`${text} x Done. ${PROMISE}`, 'DONE');
          expect(promised).toBe(isBehind(`${text} x `));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  // Read on from each sign, one of these would take hours.
  testInTurn.each([...'“„«「'].map((sign) => sign.repeat(2_000_000)).concat(" 'a".repeat(700_000)))(
    'R2 a promise behind 2 MB of openings without an end counts %#',
    (openings) => expect(checkCompletionPromise(`${openings}\n\nI am done. ${PROMISE}`, 'DONE')).toBe(true),
  );
});
