import { expect, test } from 'vitest';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import { GroundsQuestions } from '../../src/loops/grounds-questions.ts';
import { sound } from '../evidence/sound-proof.ts';

const MOVE = 'diff --git a/a.py b/unit/a.py\nsimilarity index 90%\nrename from a.py\nrename to unit/a.py\n';
const failing = (file: string, name: string) => ({ file, name, occurrence: 1 });

const asked = (tests: readonly ReturnType<typeof failing>[], testsCount: number) => {
  const questions = new GroundsQuestions();
  const dispute = { is: 'asked', digest: 'd', diff: MOVE, testsCount, tests: [...tests] } as const;
  const proof = { ...sound, grounds: [{ path: 'a.py', how: 'restored' as const }], groundsChanged: 1, dispute };
  const fact = {
    run: 'r',
    version: 1,
    at: '',
    type: 'verification.completed',
    payload: { passed: false, levels: [], proof },
  };
  // Only what the question rests on.
  questions.observe(fact as unknown as Fact);
  return questions.asked()[0]?.text.split('\n')[0];
};

test('V17 the question about changed tests shows a file that moved as moved, and the others by name', () => {
  expect(asked([failing('a.py', 'adds'), failing('a.py', 'keeps'), failing('b.py', 'rounds')], 4)).toContain(
    '4 tests of the start fail: 2 tests of a.py, which moved to unit/a.py; rounds and 1 more.',
  );
  expect(asked([failing('b.py', 'rounds')], 1)).toContain('1 test of the start fail: rounds.');
});
