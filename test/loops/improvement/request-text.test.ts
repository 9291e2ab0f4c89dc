import { expect, test } from 'vitest';
import { commitMessage, requestText } from '../../../src/loops/improvement/request-text.ts';

const IMPROVEMENT = {
  run: 'RUN',
  iteration: 2,
  discovery: {
    id: 'todos-1',
    title: `a title\nof two lines${' and more'.repeat(10)}`,
    summary: 'half a character: \ud800, a byte 0: \0.',
    source: 'todos' as const,
    relevanceScore: 1,
    fingerprint: '',
  },
  evaluation: {
    reason: 'every tier passed',
    grade: 'witnessed' as const,
    because: 'red before, and passes now: adds',
  },
  witness: { kind: 'acceptance' as const, text: 'test/sum.test.js: adds\nand more' },
  built: { modification: 'abc', changed: [{ path: 'logo.png', added: null, removed: null }] },
};

test('I3 I13 the message of a commit has a subject of one short line, and says what it rests on', () => {
  const [subject = '', blank, ...rest] = commitMessage(IMPROVEMENT).split('\n');
  expect(subject.length).toBeLessThanOrEqual(72);
  expect(subject).toMatch(/^a title of two lines and more/);
  expect(blank).toBe('');
  expect(rest.join('\n')).toBe(
    'half a character: \ufffd, a byte 0: .\n\nRed before, and passes now: adds.\n\n' +
      'Change abc, found by todos in iteration 3.\n\n' +
      'Loopfold-Run: RUN\nLoopfold-Finding: todos-1\nLoopfold-Witness: acceptance: test/sum.test.js: adds and more\n' +
      'Loopfold-Grade: witnessed\n',
  );
});

test('I7 the text of a pull request names at most 50 files, and the branch to try it on', () => {
  const file = { path: 'a', added: 1, removed: 2 };
  const built = {
    ...IMPROVEMENT.built,
    changed: [...IMPROVEMENT.built.changed, ...Array.from({ length: 60 }, () => file)],
  };
  const text = requestText({ ...IMPROVEMENT, built }, { branch: 'loopfold/RUN', commit: 'c0ffee' });
  expect(text).toContain('61 files:');
  expect(text).toContain('- `logo.png` (binary)\n- `a` (+1 −2)\n');
  expect(text).toContain('- and 11 more\n');
  expect(text).toContain('git switch loopfold/RUN\n');
});
