import { describe, expect, test } from 'vitest';
import { withoutQuotes } from '../../src/strategies/quotes.ts';
import { COMPLETION_SIGNALS, completionSignal } from '../../src/strategies/completion-signals.ts';
import { fc } from '../support/fast-check.ts';

describe('L11 an agent that says it is done', () => {
  test.each([
    ['TASK_COMPLETE', 'TASK_COMPLETE'],
    ['All tests pass. TASK_COMPLETE', 'TASK_COMPLETE'],
    ['I fixed the parser and ran the tests.\n\nTASK_COMPLETED', 'TASK_COMPLETED'],
    ['Everything works.\n\n**TASK_COMPLETE**', 'TASK_COMPLETE'],
    ['DONE!', 'DONE'],
    ['✅ DONE', 'DONE'],
    ['Status: TASK_COMPLETE', 'TASK_COMPLETE'],
    ['All checks pass, so this is TASK_COMPLETE', 'TASK_COMPLETE'],
    ['TASK_COMPLETE: all four files are migrated.', 'TASK_COMPLETE'],
    ['TASK_COMPLETE — nothing is left', 'TASK_COMPLETE'],
    ['Summary of the work.\n- parser\n- tests\n\n[COMPLETE]', '[COMPLETE]'],
    ['(TASK_COMPLETE)', 'TASK_COMPLETE'],
    ['<promise>DONE</promise>', 'DONE'],
    ['I said `TASK_COMPLETE` too early before. Now it is TASK_COMPLETE.', 'TASK_COMPLETE'],
    ["I don't see more to do, and the tests don't fail. TASK_COMPLETE", 'TASK_COMPLETE'],
    ['Here is the signal:\n\nTASK_COMPLETE', 'TASK_COMPLETE'],
    ['- DONE', 'DONE'],
    ['Wir sind fertig. TASK_COMPLETE', 'TASK_COMPLETE'],
    ['I will not touch the docs.\nDONE', 'DONE'],
    ['[COMPLETE] All three tests pass', '[COMPLETE]'],
    ['Nothing is left, so: TASK_COMPLETE', 'TASK_COMPLETE'],
    ['All of it is TASK_COMPLETE ✅\nThe tests pass', 'TASK_COMPLETE'],
  ])('L11 %j', (output, signal) => expect(completionSignal(output)).toBe(signal));

  test.each([
    '',
    'done',
    'Done.',
    'I have done some of it',
    'COMPLETE',
    'complete',
    'UNDONE',
    'ABANDONED',
    'DONE_SOON',
    'NOT_DONE',
    'TASK_COMPLETE_LATER',
    'xTASK_COMPLETE',
    'TASK_COMPLETENESS',
    'see docs/DONE.md',
    'I wrote DONE.txt',
    'set $DONE',
    'call DONE()',
    'DONE=1',
    '--DONE',
    'DONE-ish',
    '#DONE',
    'TODO/DONE',
    'say DONE when finished',
    'Say DONE when finished.',
    'I was told to say DONE when finished, but it is not.',
    'I will say DONE when it works.',
    'I will output TASK_COMPLETE once all tests pass.',
    'When everything works, say TASK_COMPLETE.',
    'If all tests pass, TASK_COMPLETE.',
    'Respond with TASK_COMPLETE',
    'Please reply with only the word DONE',
    'respond with: DONE',
    'End by printing TASK_COMPLETE',
    'When all is finished, respond with:\nTASK_COMPLETE',
    'Reply with:\n\nTASK_COMPLETE',
    'Once all tests pass:\nTASK_COMPLETE',
    'When the work is finished say\nDONE and stop.',
    'This is not DONE.',
    'It is not yet DONE',
    "It isn't DONE",
    'almost DONE',
    'half DONE',
    'nothing can be called DONE',
    'Is it DONE?',
    'The last step is to be DONE tomorrow',
    'It will be DONE soon',
    'You asked for "TASK_COMPLETE" at the end.',
    'the word “DONE” comes later',
    "the token 'DONE' comes later",
    'Use `TASK_COMPLETE` for that.',
    'It prints\n```sh\necho "x"\nDONE',
    '> When done:\n> DONE',
    '    DONE',
    '- Parser: DONE\n- Tests: TODO',
    '1. parser DONE\n2. tests',
    '| parser | DONE |',
    '[x] parser DONE',
    '## DONE',
    'DONE:\n- parser\n\nTODO:\n- tests',
    'DONE: parser\nTODO: tests',
    'Step 1: DONE\nStep 2: in progress',
    'Step 1 DONE. Step 2 is still open.',
    'Phase 2 is DONE',
    'The first part is DONE; the second is missing.',
    'DONE with the first part, two parts remain.',
    '90% DONE',
    'Nothing is DONE.',
    'This is far from DONE',
    'No TASK_COMPLETE yet.',
    'TASK_COMPLETE: no',
    'TASK_COMPLETE = false',
    'TASK_COMPLETE would be a lie.',
    'TASK_COMPLETED tests: 3, failing: 2',
    'I set the state to DONE in the database.',
    'The values are OPEN, DONE and CLOSED.',
    'The values are OPEN, DONE\nand CLOSED.',
    'TODO / DONE / REVIEW are columns',
    'The page says that agents print TASK_COMPLETE at the end.',
    'The prompt mentions the word TASK_COMPLETE.',
    '"Work on the task.\nWhen finished, say DONE."',
    '[COMPLETE](https://example.org)',
  ])('L11 no claim: %j', (output) => expect(completionSignal(output)).toBeNull());

  test('L11 the words are the strategy’s, signs in them are no patterns', () => {
    expect(completionSignal('All of it is out.\nSHIPPED', ['SHIPPED'])).toBe('SHIPPED');
    expect(completionSignal('SHIPPED (v1.0)', ['SHIPPED'])).toBeNull();
    expect(completionSignal('I_SHIPPED (v1.0)', ['I_SHIPPED'])).toBe('I_SHIPPED');
    expect(completionSignal('All good.\n<<OK>>', ['<<OK>>'])).toBe('<<OK>>');
    expect(completionSignal('aab', ['a+b'])).toBeNull();
    expect(completionSignal('DONE', ['SHIPPED'])).toBeNull();
    expect(completionSignal('DONE', [])).toBeNull();
  });

  const signal = fc.constantFrom(...COMPLETION_SIGNALS);
  const prose = fc
    .array(fc.constantFrom('the', 'parser', 'tests', 'pass', 'now', 'and', 'I', 'changed', 'files'), {
      minLength: 1,
      maxLength: 12,
    })
    .map((words) => words.join(' '));

  test('L11 whatever was said before, a signal alone on the last line is a claim', () =>
    fc.assert(
      fc.property(prose, signal, (said, word) => {
        expect(completionSignal(`${said}.\n\n${word}`)).toBe(word);
      }),
    ));

  test('L11 a text without any of the words claims nothing', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        fc.pre(!COMPLETION_SIGNALS.some((word) => text.includes(word)));
        expect(completionSignal(text)).toBeNull();
      }),
    ));

  test('L11 inside a longer word, in code and in quotes no signal counts', () => {
    const letters = fc.stringMatching(/^[A-Za-z0-9_]{1,6}$/);
    const hidden = fc
      .tuple(letters, signal, letters)
      .chain(([before, word, after]) =>
        fc.constantFrom(
          `${before}${word.replaceAll(/[[\]]/g, '')}${after}`,
          `\`${word}\``,
          `"${word}"`,
          `\n\`\`\`\nrun it\n${word}\n\`\`\`\n`,
          `“${word}”`,
        ),
      );
    const ours = (text: string) => COMPLETION_SIGNALS.some((word) => text.includes(word));
    fc.assert(
      fc.property(prose, hidden, (said, text) => {
        fc.pre(ours(text));
        expect(completionSignal(`${said} ${text} ${said}`)).toBeNull();
      }),
    );
  });

  test('L11 an answer of nothing but blank lines costs no more than it is long', () => {
    const lines = 60_000;
    expect(completionSignal(`${'\n \n'.repeat(lines)}DONE`)).toBe('DONE');
  });

  test('L11 what is shown or quoted is taken out, and an apostrophe is no quotation', () => {
    expect(withoutQuotes("It isn't `x`, the agents' work")).toBe("It isn't …, the agents' work");
    expect(withoutQuotes('before\n```ts\nconst a = 1;\n```\nafter')).toBe('before\n…\nafter');
    expect(withoutQuotes('5" and more\n\n3" of it')).toBe('5" and more\n\n3" of it');
  });
});
