import { expect, test } from 'vitest';
import { howItEnded } from '../../../../src/loops/improvement/evaluation/experiment-end.ts';
import { abortedBy, outcomeOf } from '../../../support/facts.ts';

const LIMIT = { name: 'tokens', used: 97_600, limit: 100_000, next: 12_265 } as const;

test('I14 an experiment that a limit has cut says which, and its last answer', () => {
  const { detail, isCut } = howItEnded({ ending: 'budget', limit: LIMIT }, 'Looking at part 7.');
  expect(isCut).toBe(true);
  expect(detail).toMatch(/cut before it had finished, budget: token budget exhausted .*; its last answer: Looking at/);
});

test.each([
  ['by itself', outcomeOf('success'), 'Done.', /has finished/, false],
  ['by a detector', outcomeOf('doom_loop'), 'again', /was stopped, doom_loop/, false],
  ['by an error', abortedBy('error', { code: 'boom', message: 'it broke' }), '', /by an error: it broke/, false],
  ['with the word that it cannot be done', outcomeOf('success'), 'I looked.\nCANNOT: the API is gone', /API/, true],
  ['with that word in bold', outcomeOf('success'), '**CANNOT: the API is gone**', /the API is gone$/, true],
  ['with that word in a sentence', outcomeOf('success'), 'It CANNOT: be', /has finished/, false],
] as const)('I14 one that ends %s says so', (_, outcome, answer, says, isGivenUp) => {
  expect(howItEnded(outcome, answer)).toMatchObject({
    detail: expect.stringMatching(says),
    isCut: false,
    isGivenUp,
  });
});
