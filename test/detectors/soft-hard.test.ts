import { describe, expect, test } from 'vitest';
import { softHard } from '../../src/detectors/soft-hard.ts';
import { asks, foundIn, levelsIn, read, saysAndAsks, times } from './turn-story.ts';

const detector = softHard();
const again = (count: number) => times(count, () => asks(read('a')));

describe('D5 soft-hard', () => {
  test('D5 the third identical call nudges once, the fifth stops', () => {
    expect(levelsIn(detector, again(2))).toEqual([]);
    expect(levelsIn(detector, again(4))).toEqual(['nudge at 3']);
    expect(levelsIn(detector, again(5))).toEqual(['nudge at 3', 'stop at 5']);
    expect(foundIn(detector, again(5)).at(-1)).toMatchObject({
      count: 5,
      evidence: [1, 2, 3, 4, 5].map((at) => `run-1/${at}`),
    });
  });

  test('D5 equal calls of one answer are one', () => {
    const five = asks(...times(5, () => read('a')));
    expect(levelsIn(detector, [five])).toEqual([]);
    expect(
      levelsIn(
        detector,
        times(5, () => five),
      ),
    ).toEqual(['nudge at 3', 'stop at 5']);
  });

  test('D5 other words beside the call hide nothing; another call does', () => {
    expect(
      levelsIn(
        detector,
        times(5, (index) => saysAndAsks(`thought ${index}`, read('a'))),
      ),
    ).toEqual(['nudge at 3', 'stop at 5']);
    expect(
      levelsIn(
        detector,
        times(40, (index) => asks(read(index % 3 ? 'a' : 'b'))),
      ),
    ).toEqual([]);
  });

  test('D5 what is exempt or polls may go on; either threshold may be off', () => {
    for (const traits of [{ identity: 'exempt' } as const, { polling: true } as const]) {
      expect(
        levelsIn(
          softHard(undefined, () => traits),
          again(9),
        ),
      ).toEqual([]);
    }
    expect(levelsIn(softHard({ nudge: 0, stop: 3 }), again(3))).toEqual(['stop at 3']);
    expect(levelsIn(softHard({ nudge: 3, stop: 0 }), again(30))).toEqual(['nudge at 3']);
  });
});
