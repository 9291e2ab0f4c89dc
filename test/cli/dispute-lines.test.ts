import { expect, test } from 'vitest';
import { MAX_DISPUTED_CHARACTERS } from '../../machines/recorded-proof.ts';
import { disputeLines } from '../../src/cli/terminal/question-lines.ts';
import { fc } from '../support/fast-check.ts';

const digest = 'abcdef0123456789'.repeat(4);
const question = {
  run: 'run-1',
  callId: 'grounds',
  kind: 'approval' as const,
  text: 'The work passes its checks only with its own changes.\nan excerpt',
  choices: [],
  path: null,
  approval: { allows: 'these changes count', digest },
  askedAt: '2030-01-01T00:00:00.000Z',
  event: 'run-1/7',
};
const shown = (diff: string) => disputeLines(question, { is: 'asked', digest, diff, testsCount: 0, tests: [] });

test('V13 a person is shown the whole recorded difference between the question and what it allows', () => {
  expect(shown('-old\n+new\n')).toEqual([
    '? The work passes its checks only with its own changes.',
    '  │ -old',
    '  │ +new',
    '  difference  abcdef0123456789',
    '  allows  these changes count',
  ]);
});

test('V13 no line of a difference looks like one of the program, and none is left out', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ -~]{0,40}$/), { minLength: 1, maxLength: 30 }), (lines) => {
      const [, ...below] = shown(`${lines.join('\n')}\nend`);
      const framed = below.filter((line) => line.startsWith('  │'));
      expect(framed).toHaveLength(lines.length + 1);
      expect(below.slice(framed.length)).toEqual(['  difference  abcdef0123456789', '  allows  these changes count']);
    }),
  );
});

test('V13 a difference that was recorded in part says so', () => {
  expect(shown('x'.repeat(MAX_DISPUTED_CHARACTERS))).toContain('  … and more');
});
