import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';
import { IntegrationQuestions } from '../../../src/loops/improvement/integration-questions.ts';
import { built, evaluated, filtered, nightStarted, type Night } from './night-facts.ts';

const [BASE, TREE] = ['a'.repeat(40), 'b'.repeat(40)];

function asked(options: NonNullable<Night['options']>, paths: readonly string[] = ['a.js']) {
  const questions = new IntegrationQuestions();
  const changed = paths.map((path) => ({ path, added: 2, removed: 1 }));
  const told: readonly LoopEvent[] = [
    nightStarted({ options }),
    filtered(['one']),
    built('one', { base: BASE, tree: TREE, changed }),
    evaluated('one'),
  ];
  for (const [index, event] of told.entries())
    questions.observe({ run: 'run', version: index + 1, at: '2026-01-31T12:00:00.000Z', ...event } as Fact);
  return questions.asked().map(({ text }) => text);
}

test('I7 a person who is asked about a change reads which files it changes, and how to see it', () => {
  const [text = ''] = asked({ phases: { integrate: { requireApproval: true } } });
  expect(text.split('\n')).toEqual([
    'Shall the change of 1 file for "Mend one" be kept? It has passed its evaluation.',
    'a.js +2 −1',
    `To see it: git diff ${BASE.slice(0, 12)} ${TREE.slice(0, 12)}`,
  ]);
});

test('I7 without an evaluation the question does not say that the change has passed one', () => {
  const [text] = asked({ phases: { evaluate: { enabled: false } } });
  expect(text).toContain('be kept? It applies; nothing else was evaluated.');
});

test('I7 of many files the first are named, and the number of the others', () => {
  const many = Array.from({ length: 30 }, (_, index) => `file-${index}.js`);
  const [text = ''] = asked({ phases: { integrate: { requireApproval: true } } }, many);
  expect(text).toContain('file-19.js +2 −1\n… and 10 more\nTo see it');
});

test('I7 a loop that asks no person has no question', () => {
  expect(asked({})).toEqual([]);
});
