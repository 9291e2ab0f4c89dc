import { describe, expect, test } from 'vitest';
import { monologue } from '../../src/detectors/monologue.ts';
import * as has from '../support/facts.ts';
import { foundIn, levelsIn, read, says, step, steered, times } from './turn-story.ts';

const detector = monologue();
const talk = (count: number) => times(count, (index) => says(`words ${index}`));

describe('D1c monologue', () => {
  test('D1c the third answer without a call stops', () => {
    expect(levelsIn(detector, talk(2))).toEqual([]);
    expect(levelsIn(detector, talk(3))).toEqual(['stop at 3']);
    expect(foundIn(detector, talk(3))).toMatchObject([{ count: 3, evidence: ['run-1/1', 'run-1/2', 'run-1/3'] }]);
  });

  test('D1c a call, or a person who says more, ends it', () => {
    expect(levelsIn(detector, [...talk(2), ...step(read('a')), ...talk(2)])).toEqual([]);
    expect(levelsIn(detector, [...talk(2), steered, ...talk(2)])).toEqual([]);
  });

  test('D1c the feedback of a decision is not a user message', () => {
    const told = {
      type: 'decision.made' as const,
      payload: { action: 'continue' as const, reason: 'x', evidence: [], feedback: 'go on' },
    };
    expect(levelsIn(detector, [says('a'), told, says('b'), told, says('c')])).toEqual(['stop at 5']);
  });

  test('D1c one long answer in several parts is one answer', () => {
    const parts = times(8, (index) => says(`part ${index}`, 'length'));
    expect(levelsIn(detector, [...parts, says('the last part')])).toEqual([]);
    expect(levelsIn(detector, [says('a'), says('b'), ...parts, says('the last part')])).toEqual(['stop at 11']);
  });

  test('D1c a failed answer does not count', () =>
    expect(
      levelsIn(detector, [...talk(2), has.modelFailed, has.modelRetried, has.modelInterrupted, has.modelLimited()]),
    ).toEqual([]));
});
