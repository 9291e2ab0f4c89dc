import { expect, test } from 'vitest';
import { compactionThrash } from '../../src/detectors/compaction-thrash.ts';
import { contextCompacted, contextFilled, modelAnswered, modelRetried } from '../support/facts.ts';
import { findingsAt, foundIn } from './folding.ts';

const fullAgain = [contextCompacted, contextFilled];

test('D10 a conversation that is full again right after it was summarised, three times, stops the run', () => {
  const facts = [contextFilled, ...fullAgain, ...fullAgain, ...fullAgain];
  const found = findingsAt(compactionThrash(), facts);
  expect(found.slice(0, -1).every((finding) => finding === null)).toBe(true);
  expect(found.at(-1)).toEqual({
    detector: 'compaction-thrash',
    level: 'stop',
    count: 3,
    message: 'the conversation was full again right after it was summarised, 3 times',
    evidence: ['run/3', 'run/5', 'run/7'],
  });
});

test('D10 what fills it again before there is another summary counts for neither', () => {
  const inNextStep = [contextCompacted, contextFilled, contextFilled];
  expect(foundIn(compactionThrash(), [contextFilled, ...inNextStep, ...inNextStep])).toEqual([]);
  expect(foundIn(compactionThrash(), [contextFilled, ...inNextStep, ...inNextStep, ...inNextStep])).toHaveLength(1);
});

test('D10 one answer between is still right after; two are work, and it starts again', () => {
  const afterOne = [contextCompacted, modelAnswered, contextFilled];
  const afterTwo = [contextCompacted, modelAnswered, modelAnswered, contextFilled];
  expect(foundIn(compactionThrash(), [contextFilled, ...afterOne, ...fullAgain, ...afterOne])).toHaveLength(1);
  expect(
    foundIn(compactionThrash(), [contextFilled, ...fullAgain, ...fullAgain, ...afterTwo, ...fullAgain, ...fullAgain]),
  ).toEqual([]);
});

test('D10 a conversation that fills up now and then is not found, and a retry of the provider is not an answer', () => {
  expect(
    foundIn(
      compactionThrash(),
      Array.from({ length: 9 }, () => contextFilled),
    ),
  ).toEqual([]);
  const slowly = [contextFilled, contextCompacted, modelAnswered, modelAnswered, modelAnswered];
  expect(foundIn(compactionThrash(), [...slowly, ...slowly, ...slowly, ...slowly])).toEqual([]);
  const retried = [contextCompacted, modelRetried, modelRetried, contextFilled];
  expect(foundIn(compactionThrash(), [contextFilled, ...retried, ...retried, ...retried])).toHaveLength(1);
});
