import { expect, test } from 'vitest';
import { similarOutput, similarOutputKind } from '../../src/detectors/similar-output.ts';
import { outcomeOf } from '../support/facts.ts';
import { foundIn, loopOf } from './folding.ts';

const say = (answer: string) => ({ answer });
const words = Array.from({ length: 40 }, (_, index) => `w${index}`).join(' ');

test('D6b three answers of attempts that are nearly the same stop the loop, two do not', () => {
  expect(foundIn(similarOutput(), loopOf(say(words), say(words)))).toEqual([]);
  const [finding] = foundIn(similarOutput(), loopOf(say(words), say(`${words} more`), say(words)));
  expect(finding).toEqual({
    detector: 'similar-output',
    level: 'stop',
    count: 3,
    message: '3 attempts in a row gave nearly the same answer (97 % alike)',
    evidence: ['run/3', 'run/7', 'run/11'],
  });
});

test('D6b the threshold is a similarity: exactly reached counts, just below does not', () => {
  const facts = loopOf(say('a b c d'), say('a b c d'), say('a b c e'));
  const threshold = 3 / 5;
  expect(foundIn(similarOutput({ threshold, iterations: 3 }), facts)).toHaveLength(1);
  expect(foundIn(similarOutput({ threshold: threshold + 0.001, iterations: 3 }), facts)).toEqual([]);
  for (const wrong of [-0.1, 1.1, '95 %'])
    expect(similarOutputKind.config.safeParse({ threshold: wrong }).success).toBe(false);
});

test('D6b every one of them has to be alike', () => {
  expect(foundIn(similarOutput(), loopOf(say('other'), say(words), say(words)))).toEqual([]);
  expect(foundIn(similarOutput(), loopOf(say(words), say('other'), say(words)))).toEqual([]);
});

test('D6b an attempt that fell short gave no answer', () => {
  const failed = { answer: '', outcome: outcomeOf('cap_hit') };
  expect(foundIn(similarOutput(), loopOf(failed, failed, failed, failed))).toEqual([]);
  expect(foundIn(similarOutput(), loopOf(say(''), say(''), say('')))).toHaveLength(1);
});
