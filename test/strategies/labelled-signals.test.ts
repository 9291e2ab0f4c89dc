import { describe, expect, test } from 'vitest';
import { COMPLETION_SIGNALS, completionSignal } from '../../src/strategies/completion-signals.ts';
import { fc } from '../support/fast-check.ts';

const FENCE = '```';

/** How agents end a message whose task is complete. */
const CLAIMS: readonly string[] = [
  // Under a heading.
  '## Status\nDONE',
  '**Result**\n\nTASK_COMPLETE',
  'I rewrote the parser, and all 42 tests pass.\n\n### Verdict\n**DONE**',
  '## Changes\n- a.ts\n\n## Verification\nnpm test passes\n\n## Result\nTASK_COMPLETED',
  '## ✅ Status\nDONE ✅',
  '__Summary__\n[COMPLETE]',
  '#### Done\nDONE.',
  'Status\nDONE',
  '## Report\n✅ DONE\n\n---',
  // Behind a label.
  'Status: DONE',
  'STATUS: DONE ✅',
  '**Status:** TASK_COMPLETE',
  '**Status**: `DONE`',
  '**Status: DONE**',
  '- Added a parser\n- Added tests\n- Status: DONE',
  'All tests pass\nStatus: ✅ DONE!',
  'I ran the linter. Status: DONE',
  'Overall status — DONE',
  '### Status: [COMPLETE]',
  'Final answer: DONE',
  'Final Answer: [COMPLETE]',
  '**FINAL ANSWER:** TASK_COMPLETE.',
  'My final answer:\n\n**DONE**',
  'STATUS:\nTASK_COMPLETE',
  `Status:\n${FENCE}\nDONE\n${FENCE}`,
  'When I ran the tests, all passed.\n\nStatus: DONE',
  // After what is left.
  'No remaining issues - TASK_COMPLETE',
  'No remaining issues: DONE',
  'No remaining issues – [COMPLETE]',
  '**No remaining issues** — DONE ✅',
  'All tests pass, and there are no remaining issues - DONE',
  'No remaining issues found - TASK_COMPLETE',
  'No remaining issues -\nTASK_COMPLETE',
  'I reviewed all files. No open problems — DONE.',
];

/** Messages of agents that are not finished, or that only mention a signal. */
const OTHERS: readonly string[] = [
  // Headings of something else, or of one part among others.
  '## Parser\nDONE\n\n## Lexer\nDONE',
  '## Lexer\nIn progress\n\n## Parser\nDONE',
  '## Step 1\nDONE',
  '## Next steps\nDONE',
  '## To do\nDONE',
  '## When finished\nDONE',
  '**Expected**\n\nTASK_COMPLETE',
  '## Acceptance criteria\nDONE',
  '## Status\nnot DONE',
  '## Status\nNot\nDONE',
  '## Status\nDONE?',
  '## Status\nDONE\n\n## Next\nThe lexer.',
  '## States\nOPEN\nDONE',
  // Labels of a part, or of a text to come.
  'Parser status: DONE',
  'Step 1: parser\nStatus: DONE',
  '### Step 3: Docs\nStatus: DONE',
  'Ticket: ABC-1\nStatus: DONE',
  'Lexer: open\nStatus: DONE',
  '### Parser\nStatus: DONE\n\n### Lexer\nStatus: IN PROGRESS',
  'Options:\n- Status: BLOCKED\n- Status: DONE',
  'TODO: docs\nStatus: DONE',
  'Expected status: DONE',
  'When finished, write:\nStatus: DONE',
  'I will end with\n\nFinal answer: TASK_COMPLETE',
  'My final answer will be: TASK_COMPLETE',
  'Not my final answer: DONE',
  'The ticket now has\nStatus: DONE',
  'For example:\nStatus: DONE',
  'e.g. Status: DONE',
  // Denied, asked, left open.
  'Status: not DONE',
  'Status: 3/5 DONE',
  'Status: DONE?',
  'Status: DONE | BLOCKED',
  'Status: DONE...',
  'Status: ❌ DONE',
  'Status: DONE\nNext: the docs',
  'Status: TASK_COMPLETE once CI passes',
  'Final answer: maybe TASK_COMPLETE',
  'not TASK_COMPLETE yet',
  'I doubt it is TASK_COMPLETE',
  // Code and quotations.
  '`Status: DONE`',
  '"Final answer: TASK_COMPLETE"',
  `${FENCE}\nStatus: DONE\n${FENCE}`,
  '    Status: DONE',
  'status: "DONE"',
  '--status: DONE',
  '$ npm test\nDONE',
  'Building project...\nDONE',
  '> Final answer: TASK_COMPLETE',
  // Something is left, or only of a part there is nothing.
  'Remaining issues - TASK_COMPLETE',
  'No remaining issues - not TASK_COMPLETE yet',
  'No remaining issues in the parser - TASK_COMPLETE',
  'Parser: no remaining issues - TASK_COMPLETE',
  'If there are no remaining issues - TASK_COMPLETE',
  '[COMPLETE] or BLOCKED',
  'I hope there are no remaining issues - TASK_COMPLETE',
  'There will be no remaining issues - DONE',
  'Write: No remaining issues - TASK_COMPLETE',
  'No remaining issues - TASK_COMPLETE?',
  // Steps.
  '1. Read the code\n2. DONE\n3. Write the tests',
  '- [x] Parser DONE\n- [x] Lexer DONE\n- [ ] Docs',
  '1. [x] DONE\n2. [ ] docs',
  '- Read: DONE\n- Fix: DONE',
];

describe('L11 a signal under a heading or behind a label', () => {
  test.each(CLAIMS)('L11 taken as a claim: %j', (output) => expect(completionSignal(output)).not.toBeNull());

  test.each(OTHERS)('L11 not taken as a claim: %j', (output) => expect(completionSignal(output)).toBeNull());

  const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts);
  const signal = oneOf(...COMPLETION_SIGNALS);
  const before = oneOf('', 'All 12 tests pass.\n\n', 'I fixed the parser\n\n', '- a.ts\n- b.ts\n\n', 'It works! 🎉\n');
  const label = oneOf(
    'Status:',
    'STATUS:',
    '**Status:**',
    'Final answer:',
    '**Final Answer**:',
    'Overall status -',
  ).map((text) => `${text} `);
  const heading = oneOf('## Status\n', '**Result**\n\n', '# Summary\n', '### ✅ Outcome\n\n');
  const nothingLeft = fc
    .tuple(
      oneOf('No remaining issues', 'no open problems', 'There are no remaining tasks'),
      oneOf(' - ', ': ', ' – ', ' — '),
    )
    .map((parts) => parts.join(''));
  const decorated = fc
    .tuple(oneOf('', '✅ '), oneOf('', '**', '`'), signal, oneOf('', '.', '!', ' ✅', ' 🎉'))
    .map(([sign, mark, word, end]) => ({ word, text: `${sign}${mark}${word}${mark}${end}` }));

  test('L11 however it is decorated, the signal counts behind a label of the whole, and under a heading', () =>
    fc.assert(
      fc.property(before, fc.oneof(label, heading, nothingLeft), decorated, (said, lead, { word, text }) => {
        expect(completionSignal(`${said}${lead}${text}`)).toBe(word);
      }),
    ));

  test('L11 whatever leads to it, a signal that is denied, asked for, planned or shown does not count', () => {
    const undone = fc.tuple(oneOf('not ', 'not yet ', 'almost ', 'nearly ', '❌ ', '2 of 5 ', 'soon to be '), signal);
    const open = fc.tuple(signal, oneOf('?', ' when CI passes', ' or BLOCKED', ' if you agree', ', but 2 tests fail'));
    const shown = signal.chain((word) => oneOf(`“${word}”?`, `\`say ${word}\``, `“then ${word}”`, `~~${word}~~`));
    const spoiled = fc.oneof(
      undone.map((parts) => parts.join('')),
      open.map((parts) => parts.join('')),
      shown,
    );
    fc.assert(
      fc.property(before, fc.oneof(label, heading, nothingLeft), spoiled, (said, lead, text) => {
        expect(completionSignal(`${said}${lead}${text}`)).toBeNull();
      }),
    );
  });

  test('L11 many headings and labels are read in linear time', () => {
    const many = 10_000;
    expect(completionSignal('## Parser\nTASK_COMPLETE\n\n'.repeat(many))).toBeNull();
    expect(completionSignal(`${'Status: open\n'.repeat(many)}Result: DONE`)).toBe(null);
    expect(completionSignal(`${'- '.repeat(many)}${'No '.repeat(many)}issues - DONE`)).toBeNull();
  });
});
