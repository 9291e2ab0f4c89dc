import { expect, test } from 'vitest';
import { lastAttemptText, MAX_DIFF_CHARACTERS } from '../../src/prompt/last-attempt-text.ts';

const DIFF = 'diff --git a/a.js b/a.js\n-one\n+two\n';

test('G3 the words and the change of the attempt before', () =>
  expect(lastAttemptText({ said: ' I fixed it.\n', diff: DIFF })).toBe(
    `The attempt before said at its end:\nI fixed it.\n\nIt changed:\n\`\`\`diff\n${DIFF}\`\`\``,
  ));

test('G3 an attempt that said nothing, changed nothing, or whose change is not known', () => {
  expect(lastAttemptText({ said: '', diff: '' })).toBe(
    'The attempt before said nothing at its end.\n\nIt changed no file.',
  );
  expect(lastAttemptText({ said: 'Done.', diff: null })).toBe('The attempt before said at its end:\nDone.');
});

test('G3 long words and a long change are cut at a line, and said to be', () => {
  const text = lastAttemptText({ said: 'word\n'.repeat(10_000), diff: '+added\n'.repeat(MAX_DIFF_CHARACTERS) });
  expect(text.length).toBeLessThan(MAX_DIFF_CHARACTERS + 2_500);
  expect(text).toContain('characters left out …]');
  expect(text).toContain('It changed more than fits here. The beginning, with the rest in the files:');
  expect(text).toMatch(/\n\+added\n```$/);
});
