import { describe, expect, test } from 'vitest';
import { buildContinuationPrompt, checkCompletionPromise, promiseText } from '../../src/ralph/index.ts';
import { fc } from '../support/fast-check.ts';
import { PROMISE, STATE } from './state.ts';

const isPromised = (answer: string) => checkCompletionPromise(answer, 'TASK COMPLETE');

describe('R2 a promise', () => {
  test.each([
    PROMISE,
    `Done. ${PROMISE}`,
    `Done.${PROMISE}`,
    `${PROMISE} Bye.`,
    '<PROMISE>task complete</Promise>',
    '<promise>\n  TASK \t COMPLETE\n</promise>',
    `<promise>ANOTHER</promise> and ${PROMISE}`,
    `${PROMISE}\n${PROMISE}`,
    `All tests pass.\r\n\r\n${PROMISE}\r\n`,
    `**${PROMISE}**`,
    `- ${PROMISE}`,
    `No errors remain. ${PROMISE}`,
    `Nothing is left to do ${PROMISE}`,
    `I could not find further errors, so ${PROMISE}`,
    `As the tests pass when I run them, I am done: ${PROMISE}`,
    `The program prints the sum when asked. ${PROMISE}`,
    `Output: ${PROMISE}`,
    `I will now output ${PROMISE}`,
    `Since it prints the sum when asked, I now output the promise:\n\n${PROMISE}`,
    `Everything works, so I can now give the promise: ${PROMISE}`,
    `All tests pass. I will now output the completion promise:\n\n${PROMISE}`,
    `Since everything is complete, I will output the completion promise:\n\n${PROMISE}`,
  ])('R2 is made by %j', (answer) => expect(isPromised(answer)).toBe(true));

  test.each([
    '',
    'TASK COMPLETE',
    '<promise>TASK COMPLETED</promise>',
    '<promise>NOT TASK COMPLETE</promise>',
    '<promise>TASKCOMPLETE</promise>',
    '<promise>TASK COMPLETE',
    'TASK COMPLETE</promise>',
    '<promises>TASK COMPLETE</promises>',
    '<promise></promise>',
  ])('R2 is not made without its tag and its phrase: %j', (answer) => expect(isPromised(answer)).toBe(false));

  test.each([
    `\`${PROMISE}\``,
    `\`\`\`\n${PROMISE}\n\`\`\``,
    `> ${PROMISE}`,
    `"${PROMISE}"`,
    `    ${PROMISE}`,
    `Finished:\n\n\`\`\`xml\n${PROMISE}\n\`\`\`\n`,
  ])('R2 counts as a whole line in code or a quote: %j', (answer) => expect(isPromised(answer)).toBe(true));

  test.each([
    `The text is \`${PROMISE}\`.`,
    `\`\`\`\nprintf ${PROMISE}\n\`\`\``,
    `> The agent wrote ${PROMISE} there.`,
    `You asked for "${PROMISE}" at the end.`,
    `\`${PROMISE}\` is what I will write.`,
  ])('R2 does not count as a part of a line in code or a quote: %j', (answer) =>
    expect(isPromised(answer)).toBe(false),
  );

  test.each([
    `I will output ${PROMISE} when it works.`,
    `I'll write ${PROMISE} then`,
    `Once the tests pass, I'll say ${PROMISE}.`,
    `I was told to output ${PROMISE}.`,
    `Output ${PROMISE} only when done.`,
    `Do NOT output ${PROMISE} before the tests pass`,
    `I cannot output ${PROMISE}, because two tests fail.`,
    `Not yet ${PROMISE}`,
    `There is no ${PROMISE} from me.`,
    `${PROMISE} would be false`,
    `The ${PROMISE} tag is for later`,
    `When the task is done, output:\n${PROMISE}`,
    `When the task is done, I have to output this:\n\n\`${PROMISE}\``,
    `To complete this loop, output this EXACT text when the task is genuinely complete:\n\`${PROMISE}\``,
  ])('R2 is not made by talking about it: %j', (answer) => expect(isPromised(answer)).toBe(false));

  test('R2 is not made where none is configured', () => {
    expect(checkCompletionPromise(PROMISE, null)).toBe(false);
    expect(checkCompletionPromise('<promise> </promise>', ' ')).toBe(false);
  });

  test.each(['ship it (v2.0)', 'a|b', '[x]', '$&', 'ÄPFEL sind FERTIG', '完了', 'C++ done?'])(
    'R2 the phrase %j is taken literally, in any case',
    (phrase) => {
      expect(checkCompletionPromise(`Yes.\n${promiseText(phrase).toLowerCase()}`, phrase)).toBe(true);
      expect(checkCompletionPromise(promiseText(`${phrase}x`), phrase)).toBe(false);
    },
  );

  test('R2 a megabyte of tags, spaces and quotes is read in linear time', () => {
    const pieces = ['<promise>', ' ', '"', '`', '> ', '<promise>TASK', PROMISE.slice(0, -1), '\n', ': ', '*'];
    for (const piece of pieces) expect(isPromised(`I will output ${piece.repeat(100_000)}`)).toBe(false);
    expect(isPromised(`x${' '.repeat(200_000)}${PROMISE}${' '.repeat(200_000)}`)).toBe(true);
  });
});

/** Text that a prompt, a phrase or feedback may consist of, without a promise of its own. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('`', '```\n', '"', "'", '> ', '\n', '\n\n', '    ', ':', 'output', 'when', '—', '«', '---', '.'),
      fc.string({ maxLength: 12, unit: 'grapheme' }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(' ').replaceAll('<', ''));
const phrase = fc
  .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
  .filter((said) => /^[^<>`\p{Cc}\u2028\u2029]*$/u.test(said) && said.trim() !== '');

describe('R2 an agent that repeats its instructions', () => {
  const prompts = fc.record({
    iteration: fc.integer({ min: 1, max: 100 }),
    maxIterations: fc.option(fc.integer({ min: 0, max: 100 })),
    originalPrompt: text,
    completionPromise: phrase,
    feedback: text,
  });

  test('R2 has promised nothing, whatever the task, the phrase and the feedback are', () => {
    fc.assert(
      fc.property(prompts, (loop) => {
        const prompt = buildContinuationPrompt(loop);
        expect(prompt).toContain(promiseText(loop.completionPromise));
        expect(checkCompletionPromise(prompt, loop.completionPromise)).toBe(false);
      }),
    );
  });

  test('R2 has promised nothing in a quote, a fence, indented, without ticks, or on one line', () => {
    const prompt = buildContinuationPrompt(STATE);
    const quoted = prompt.replace(/^/gm, '> ');
    const repeated = [quoted, `\`\`\`\n${prompt}\`\`\``, prompt.replace(/^/gm, '    '), prompt.replaceAll('`', '')];
    for (const answer of [...repeated, prompt.replaceAll('\n', ' ')]) expect(isPromised(answer)).toBe(false);
    for (const answer of repeated) expect(isPromised(`${answer}\n\nDone.\n${PROMISE}`)).toBe(true);
  });
});

test('R2 any letter case, white space and company leave a promise a promise', () => {
  const space = fc.stringMatching(/^[ \n\t]{0,5}$/);
  const cased = fc.mixedCase(fc.constant('promise'));
  fc.assert(
    fc.property(phrase, cased, space, space, text, (said, tag, before, after, company) => {
      const answer = `${company}\n\n\`\`\`\n\`\`\`\n\nDone.\n\n<${tag}>${before}${said}${after}</${tag}>\n`;
      expect(checkCompletionPromise(answer, said)).toBe(true);
    }),
  );
});
