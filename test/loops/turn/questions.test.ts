import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { TurnQuestions } from '../../../src/loops/turn/turn-questions.ts';
import {
  abortRequested,
  callsAdmitted,
  modelAskedFor,
  timerFired,
  toolCompleted,
  toolFailed,
  toolInterrupted,
} from '../../support/facts.ts';

const answered: LoopEvent = { type: 'person.answered', payload: { callId: '0.1', answer: 'blue' } };

/** Two calls ask a person, and a third one runs. Which of them are open after these events, and what was answered. */
function after(...events: LoopEvent[]) {
  const questions = new TurnQuestions();
  const all = [modelAskedFor('0.0', '0.1', '0.2'), callsAdmitted('0.0?', '0.1?', '0.2'), ...events];
  for (const [index, event] of all.entries())
    questions.observe({ ...event, run: 'r', version: index + 1, at: '2026-01-01T00:00:00.000Z' });
  const asked = questions.asked();
  const answers = asked.flatMap(({ callId, answer }) => (answer === null ? [] : [[callId, answer]]));
  return { open: asked.filter(({ isOpen }) => isOpen).map(({ callId }) => callId), answers };
}

test('a call that asks a user is open once it is admitted; other calls open no question', () =>
  expect(after()).toEqual({ open: ['0.0', '0.1'], answers: [] }));

test('an answer closes its question alone, and stays', () => {
  expect(after(answered)).toEqual({ open: ['0.0'], answers: [['0.1', 'blue']] });
  expect(after(answered, modelAskedFor()).answers).toEqual([['0.1', 'blue']]);
});

test.each([
  ['interrupted', toolInterrupted('0.1')],
  ['failed', toolFailed('0.1')],
  ['completed by itself', toolCompleted('0.1')],
])('a question whose call was %s is closed without an answer', (_, event) =>
  expect(after(event)).toEqual({ open: ['0.0'], answers: [] }),
);

test.each([
  ['an abort', abortRequested()],
  ['the deadline', timerFired('deadline')],
  ['the next answer of the model', modelAskedFor()],
])('after %s nothing is asked any longer', (_, event) => expect(after(event)).toEqual({ open: [], answers: [] }));

test('a timer that is no deadline closes no question', () =>
  expect(after(timerFired('grace')).open).toEqual(['0.0', '0.1']));
