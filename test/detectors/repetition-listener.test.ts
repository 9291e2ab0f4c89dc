import { describe, expect, test } from 'vitest';
import { RepetitionListener } from '../../src/detectors/repetition-listener.ts';
import { fc } from '../support/fast-check.ts';

const RULE = { length: 50, times: 10, distance: 250, distinct: 5, history: 5_000 };
/** Sixty characters, so that some fifty of them come again with each repeat. */
const SENTENCE = 'I will look at the file once more to be certain about this. ';

function isRepeated(text: string, pieces: readonly number[] = []): boolean {
  const listener = new RepetitionListener(RULE);
  let from = 0;
  for (const length of pieces) {
    listener.add(text.slice(from, from + length));
    from += length;
  }
  listener.add(text.slice(from));
  return listener.endLine();
}
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
/** So many characters, none of which makes any text come again. */
const filler = (length: number, salt = 0) =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919 + salt * 104_729) % 20_000))).join(
    '',
  );

describe('D2b which text counts as repeated', () => {
  test('D2b a stretch of fifty characters that is said ten times, not nine', () => {
    const said = SENTENCE.slice(0, 50);
    const apart = (count: number) => Array.from({ length: count }, () => said).join('');
    expect(isRepeated(apart(9))).toBe(false);
    expect(isRepeated(apart(10))).toBe(true);
    expect(isRepeated('x'.repeat(58))).toBe(false);
    expect(isRepeated('x'.repeat(59))).toBe(true);
  });

  test('D2b on average at most 250 characters from one to the next', () => {
    const spaced = (gap: string) => Array.from({ length: 10 }, () => SENTENCE.slice(0, 50) + gap).join('');
    expect(isRepeated(spaced(filler(200)))).toBe(true);
    expect(isRepeated(spaced(filler(201)))).toBe(false);
  });

  test('D2b at most five different texts between', () => {
    const varied = (different: number) =>
      Array.from({ length: 10 }, (_, index) => SENTENCE.slice(0, 50) + filler(40, index % different)).join('');
    expect(isRepeated(varied(5))).toBe(true);
    expect(isRepeated(varied(6))).toBe(false);
  });

  test('D2b the pieces it comes in make no difference', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            SENTENCE.repeat(6),
            SENTENCE,
            '\n',
            '```\n',
            '- ',
            '| a | b |\n',
            '---\n',
            'x',
            '1. ',
            '# ',
            '> ',
            ' ',
          ),
          { maxLength: 60 },
        ),
        fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 40 }),
        (parts, pieces) => isRepeated(parts.join(''), pieces) === isRepeated(parts.join('')),
      ),
    ));

  test('D2b what was said long ago is forgotten, and kept no longer', () => {
    const listener = new RepetitionListener(RULE);
    for (let index = 0; index < 300; index += 1) listener.add(filler(1_000, index));
    expect(listener.state.text.length).toBeLessThanOrEqual(RULE.history);
    expect(isRepeated(SENTENCE.repeat(9) + filler(6_000) + SENTENCE.repeat(9))).toBe(false);
    expect(isRepeated(filler(100_000) + SENTENCE.repeat(11))).toBe(true);
  });
});

describe('D2b what repeats by its nature', () => {
  test.each([
    ['a list', (index: number) => `- ${SENTENCE}${index}`],
    ['a list with stars', () => `* ${SENTENCE}`],
    ['a list with plus signs', () => `  + ${SENTENCE}`],
    ['a numbered list', (index: number) => `${index + 1}. ${SENTENCE}`],
    ['headings', () => `## ${SENTENCE}`],
    ['quotes', () => `> ${SENTENCE}`],
    ['a table', () => `| ${SENTENCE} | ${SENTENCE} |`],
    ['paragraphs between dividers', () => `${SENTENCE}\n---`],
    ['paragraphs between long dividers', () => `${SENTENCE}\n${'═'.repeat(200)}`],
  ])('D2b %s is not a repetition, and does not hide one after it', (_what, line) => {
    expect(isRepeated(lines(60, line))).toBe(false);
    expect(isRepeated(`${lines(60, line)}\n\n${SENTENCE.repeat(12)}`)).toBe(true);
  });

  test.each(['```', '~~~', '````'])('D2b nothing inside of a code block in %s is one', (fence) => {
    const block = `${fence}ts\n${lines(60, () => SENTENCE)}\n${fence}\n`;
    expect(isRepeated(block)).toBe(false);
    expect(isRepeated(`${block}${SENTENCE.repeat(12)}`)).toBe(true);
    expect(isRepeated(`${fence}\n${lines(60, () => SENTENCE)}`)).toBe(false);
  });

  test('D2b a shorter fence, or one with words behind it, does not end a code block', () =>
    expect(isRepeated(`\`\`\`\`\n\`\`\`\n${lines(60, () => SENTENCE)}\n\`\`\`\` x\n${SENTENCE.repeat(12)}`)).toBe(
      false,
    ));

  test('D2b a repetition within one list item counts', () => expect(isRepeated(`- ${SENTENCE.repeat(12)}`)).toBe(true));

  test('D2b letters and digits are no divider', () => {
    expect(isRepeated(lines(30, () => `${SENTENCE}\n12345`))).toBe(true);
    expect(isRepeated(lines(30, () => `${SENTENCE}\nABC_DEF`))).toBe(true);
    expect(isRepeated(lines(30, () => `${SENTENCE}\n-_-`))).toBe(false);
  });

  test('D2b a long divider is not a repetition, an endless one is', () => {
    expect(isRepeated(`${'-'.repeat(300)}\nDone.`)).toBe(false);
    expect(isRepeated('!'.repeat(400))).toBe(true);
  });

  test('D2b a list with different lines is not a repetition', () =>
    expect(
      isRepeated(
        lines(60, (index) => `The module number ${index} was checked and all of its ${index * 7} tests have passed.`),
      ),
    ).toBe(false));
});
