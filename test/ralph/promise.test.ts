import { describe, expect, test } from 'vitest';
import { buildContinuationPrompt, checkCompletionPromise, promiseText } from '../../src/ralph/index.ts';
import { whyNotPromised } from '../../src/ralph/check-promise.ts';
import { fc } from '../support/fast-check.ts';
import { PROMISE, STATE } from './state.ts';

const isPromised = (answer: string) => checkCompletionPromise(answer, 'TASK COMPLETE');

/** Answers that promise. */
const CLAIMS = [
  PROMISE,
  `Done. ${PROMISE}`,
  `Done.${PROMISE}`,
  `Done! ${PROMISE}`,
  `Done! 🎉 ${PROMISE}`,
  `**All tests pass.** ${PROMISE}`,
  `All tests pass (12 of 12.) ${PROMISE}`,
  `No errors remain. ${PROMISE}`,
  `I fixed sum.js. ${PROMISE}`,
  `The program prints the sum when asked. ${PROMISE}`,
  `テストは通りました。${PROMISE}`,
  `Done. ${PROMISE}.`,
  `Done. **${PROMISE}**`,
  `Done. ${PROMISE} ${PROMISE}`,
  '<PROMISE>task complete</Promise>',
  '<promise>\n  TASK \t COMPLETE\n</promise>',
  `Done.\n<promise>\nTASK COMPLETE\n</promise>`,
  `<promise>ANOTHER</promise>\n${PROMISE}`,
  `<promise>ANOTHER</promise> ${PROMISE}`,
  `${PROMISE}\n<promise>ANOTHER</promise>`,
  `${PROMISE}\n${PROMISE}`,
  `${PROMISE}\n\n${PROMISE}\n`,
  `All tests pass.\n${PROMISE}`,
  `All tests pass.\r\n\r\n${PROMISE}\r\n`,
  `All tests pass\n\n${PROMISE}`,
  `All tests pass ✅\n\n${PROMISE}\n\n`,
  `## Done\n\n${PROMISE}`,
  `Done\n\n---\n\n${PROMISE}`,
  `What I did:\n\n- fixed sum.js\n- ran the tests\n\n${PROMISE}`,
  `1. Fixed sum.js\n2. Ran the tests\n\n${PROMISE}`,
  `I said I would output ${PROMISE} when it works. It works.\n\n${PROMISE}`,
  `The output:\n\n\`\`\`\n12 passed\n\`\`\`\n${PROMISE}`,
  `The output:\n\n\`\`\`\n12 passed\n\`\`\`\n\n${PROMISE}`,
  `**${PROMISE}**`,
  `### ${PROMISE}`,
  `\`${PROMISE}\``,
  `Done.\n\n\`${PROMISE}\``,
  `\`\`\`\n${PROMISE}\n\`\`\``,
  `\`\`\`\n${PROMISE}`,
  `Finished.\n\n\`\`\`xml\n${PROMISE}\n\`\`\`\n`,
  `Finished.\n\`\`\`\n${PROMISE}\n\`\`\``,
  `> ${PROMISE}`,
  `> Done.\n>\n> ${PROMISE}`,
  `"${PROMISE}"`,
  `    ${PROMISE}`,
  `Fixed the output\n\n${PROMISE}`,
  `- Removed the early return\n- Checked what the functions print\n\n${PROMISE}`,
  `The bug is dealt with\n\n${PROMISE}`,
  `The public API was left as it is\n\n${PROMISE}`,
  `That is all you asked for\n\n${PROMISE}`,
  `## Output\n\n${PROMISE}`,
  `12 passed (0 failed)\n\n${PROMISE}`,
  `All tests pass, and sum.js adds\n\n${PROMISE}`,
  `Everything works now\n\n**${PROMISE}**`,
  `I was told what to output. It works now\n\n${PROMISE}`,
];

/** Answers that talk about the promise, show it, or plan it. */
const MENTIONS = [
  `Instructions say: when done, output\n\n${PROMISE}`,
  `Instructions say: when done, output\n\n    ${PROMISE}`,
  `If all were fine I would end with\n\n${PROMISE}`,
  `If all were fine I would end my answer with\n\n${PROMISE}`,
  `Once the tests pass,\nI will write exactly\n\n${PROMISE}`,
  `When it works I'll say\n\n**${PROMISE}**`,
  `You asked me to reply with the text\n\n\`${PROMISE}\``,
  `The completion text is\n\n${PROMISE}`,
  `Say the following\n\n${PROMISE}`,
  `I will not say the\n\n${PROMISE}`,
  `Three tests fail, so no\n\n    ${PROMISE}`,
  `For later —\n\n${PROMISE}`,
  `When the tests pass I will output\n\n\`\`\`\n${PROMISE}\n\`\`\``,
  `${PROMISE} — not yet!`,
  `${PROMISE} is what I will say at the end.`,
  `My plan:\n1. Fix sum.js\n2. Run the tests\n3. Output ${PROMISE}`,
  `1. Fix sum.js\n2. ${PROMISE}`,
  `Saying ${PROMISE} now would be a lie.`,
  `Three tests fail. Saying ${PROMISE} now would be a lie.`,
  `Refusing to emit ${PROMISE} because tests fail`,
  `Only when the tests pass:\n${PROMISE}`,
  `Only when the tests pass, output:\n\n${PROMISE}`,
  `I am not allowed to output\n${PROMISE}\nuntil tests pass.`,
  `I am not allowed to output\n${PROMISE}`,
  `I cannot give the promise\n${PROMISE}\nsince a test fails.`,
  `Once everything is green:\n- ${PROMISE}`,
  `TODO:\n- fix\n- ${PROMISE}`,
  `- [ ] ${PROMISE}`,
  `TODO: ${PROMISE}`,
  `NOT DONE: ${PROMISE}`,
  `Later: ${PROMISE}`,
  `**Next time:**\n\n${PROMISE}`,
  `<!-- ${PROMISE} -->`,
  `Done. <!-- ${PROMISE} -->`,
  `~~${PROMISE}~~`,
  `Done. ~~${PROMISE}~~`,
  `<thinking>${PROMISE}</thinking> still failing`,
  `${PROMISE}\nJust kidding, tests fail.`,
  `${PROMISE} Bye.`,
  `${PROMISE}?`,
  `Should I say ${PROMISE}?`,
  `Is it done? ${PROMISE}?`,
  `No ${PROMISE}`,
  `Not yet... ${PROMISE}`,
  `The last line of the answer, e.g. ${PROMISE}`,
  `| ${PROMISE} |`,
  `If all tests passed I would write:\n\n${PROMISE}\n\nThey do not.`,
  `When it works I will output:\n\`\`\`\n${PROMISE}\n\`\`\`\nNot yet.`,
  `When it works I will output:\n\n\`\`\`\n${PROMISE}\n\`\`\``,
  `When it works I will output:\n\n\`\`\`\n${PROMISE}`,
  `The completion text is:\n\n${PROMISE}\n\nI keep it for later.`,
  `Remaining work: 3 tests.\nThe completion text is:\n${PROMISE}`,
  `To complete this loop, output this EXACT text:\n\n${PROMISE}`,
  `I will output ${PROMISE} when it works.`,
  `I'll write ${PROMISE}`,
  `Once the tests pass, I'll say ${PROMISE}.`,
  `I was told to output ${PROMISE}.`,
  `Output ${PROMISE} only when done.`,
  `I cannot output ${PROMISE}, because two tests fail.`,
  `There is no ${PROMISE} from me.`,
  `The ${PROMISE} tag is for later`,
  `The text is \`${PROMISE}\`.`,
  `Remember the text. \`${PROMISE}\``,
  `You asked for "${PROMISE}"`,
  `> The agent wrote this. ${PROMISE}`,
  `\`\`\`\nprintf ${PROMISE}\n\`\`\``,
  `\`\`\`\necho Done.\n${PROMISE}\n\`\`\``,
];

describe('R2 a promise', () => {
  test.each(CLAIMS)('R2 is made by %j', (answer) => expect(isPromised(answer)).toBe(true));

  test.each(MENTIONS)('R2 is not made by talking about it: %j', (answer) => expect(isPromised(answer)).toBe(false));

  test('R2 the tables are large enough to say that all of either kind are told apart', () => {
    const rate = (answers: readonly string[]) => answers.filter(isPromised).length / answers.length;
    expect({ claims: rate(CLAIMS), mentions: rate(MENTIONS) }).toEqual({ claims: 1, mentions: 0 });
    expect(Math.min(new Set(CLAIMS).size, new Set(MENTIONS).size)).toBeGreaterThanOrEqual(40);
  });

  test.each(CLAIMS)('R2 no reason is given against %j', (answer) =>
    expect(whyNotPromised(answer, 'TASK COMPLETE')).toBeNull(),
  );

  test.each(MENTIONS)('R2 a reason is given why nothing is promised by %j', (answer) =>
    expect(whyNotPromised(answer, 'TASK COMPLETE')).not.toBeNull(),
  );

  test.each([
    [`${PROMISE}\n\nBye`, 'other text follows it'],
    [`Nothing is left to do ${PROMISE}`, 'it is not alone on its line'],
    [`I will now output the promise:\n\n${PROMISE}`, 'the text before it ends with a colon'],
    [`All tests pass\n${PROMISE}`, 'no empty line is before it'],
    [`\`\`\`\nmake test\n${PROMISE}\n\`\`\``, 'it is a part of a block of code'],
    ['<promise>DONE</promise>', 'the phrase in it is another one'],
    ['All tests pass.', null],
    ['', null],
  ])('R2 %j does not promise: %s', (answer, why) => expect(whyNotPromised(answer, 'TASK COMPLETE')).toBe(why));

  // Nothing but their meaning tells these from an honest answer: the checks have to.
  test.each([`Three tests still fail. ${PROMISE}`, `I am not done.\n\n${PROMISE}`])(
    'R2 a promise that contradicts its own answer is one: %j',
    (answer) => expect(isPromised(answer)).toBe(true),
  );

  // They cost an iteration, whose prompt says where the promise has to stand.
  test.each([
    `I am done: ${PROMISE}`,
    `Nothing is left to do ${PROMISE}`,
    `All tests pass. I will now output the promise:\n\n${PROMISE}`,
    `- ${PROMISE}`,
  ])('R2 a promise with a lead is not counted: %j', (answer) => expect(isPromised(answer)).toBe(false));

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
    const pieces = [
      '<promise>',
      ' ',
      '"',
      '`',
      '> ',
      '<promise>TASK',
      PROMISE.slice(0, -1),
      '\n',
      ': ',
      '*',
      '. ',
      '1.',
      '!',
      '```\n',
    ];
    for (const piece of pieces) expect(isPromised(`I will output ${piece.repeat(100_000)}`)).toBe(false);
    expect(isPromised(`x.${' '.repeat(200_000)}${PROMISE}${' '.repeat(200_000)}`)).toBe(true);
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
  const last = fc.constantFrom('Done.', 'Done', '- All tests pass', 'It prints `5`', '## Result');
  const cased = fc.mixedCase(fc.constant('promise'));
  fc.assert(
    fc.property(phrase, cased, space, space, fc.tuple(text, last), (said, tag, before, after, company) => {
      const answer = `${company.join('\n\n```\n```\n\n')}\n\n<${tag}>${before}${said}${after}</${tag}>\n`;
      expect(checkCompletionPromise(answer, said)).toBe(true);
    }),
  );
});
