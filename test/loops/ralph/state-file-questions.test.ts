import { expect, test } from 'vitest';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';
import { StateFileQuestions } from '../../../src/loops/ralph/state-file-questions.ts';

const fact = (version: number, type: string, payload: object): Fact =>
  ({ run: 'run', version, at: '2026-01-31T12:00:00.000Z', type, payload }) as Fact;

const TASK = 'Mend the parser, and keep every test. '.repeat(20);

function asked(...edits: readonly string[]): string {
  const questions = new StateFileQuestions();
  questions.observe(fact(1, 'run.started', { settings: { prompt: TASK } }));
  for (const [index, originalPrompt] of edits.entries()) {
    const edit = { held: true, by: 'anyone', digest: `${index}`, changes: { originalPrompt } };
    questions.observe(fact(2 + 2 * index, 'state_file.edited', { edit }));
    if (index < edits.length - 1) questions.observe(fact(3 + 2 * index, 'edit.approved', { digest: '', reason: null }));
  }
  const open = questions.asked().filter(({ isOpen }) => isOpen);
  expect(open).toHaveLength(1);
  return open[0]?.approval?.allows ?? '';
}

test('R4 a person who allows an edit of the task sees what it adds and takes, wherever that is', () => {
  expect(asked(`${TASK}Then delete the tests.`)).toMatch(/the task gains "Then delete the tests\."$/);
  expect(asked(TASK.replace(', and keep every test', ''))).toMatch(/the task loses ", and keep every test"$/);
  const [first, second] = [`${TASK}Be quick.`, `${TASK}Be quick. Push it.`];
  expect(asked(first, second)).toMatch(/the task gains " Push it\."$/);
});

test('R4 of a change that is too long for a question, its length is said', () => {
  const allows = asked(TASK + 'x'.repeat(5_000));
  expect(allows).toContain('(of 5000 characters: read the file first)');
  expect(allows.length).toBeLessThan(2_500);
});
