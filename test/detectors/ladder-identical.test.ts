import { describe, expect, test } from 'vitest';
import { ladderIdentical } from '../../src/detectors/ladder-identical.ts';
import { createHarness } from '../support/harness.ts';
import { tool } from '../support/stand-ins.ts';
import { asks, foundIn, levelsIn, read, times } from './turn-story.ts';

const detector = ladderIdentical();
const again = (count: number) => times(count, () => asks(read('a')));

describe('D4 ladder-identical', () => {
  test('D4 the fourth identical call in a row is refused, and the count begins anew', () => {
    expect(levelsIn(detector, again(3))).toEqual([]);
    expect(levelsIn(detector, again(13))).toEqual(['block at 4', 'block at 8', 'block at 12']);
    expect(foundIn(detector, again(4))).toMatchObject([
      { count: 4, calls: ['0.0'], evidence: [1, 2, 3, 4].map((at) => `run-1/${at}`) },
    ]);
  });

  test('D4 calls of one answer are one, and all of them are refused together', () => {
    const many = asks(...times(9, () => read('a')));
    expect(foundIn(detector, [many])).toEqual([]);
    const four = [many, asks(read('a')), many, asks(read('a'), read('a'))];
    expect(foundIn(detector, four)).toMatchObject([{ count: 4, calls: ['0.0', '0.1'] }]);
  });

  test('D4 another call between begins it anew', () =>
    expect(levelsIn(detector, [...again(3), asks(read('b')), ...again(3)])).toEqual([]));

  test('D4 0 is off, and the number is what may run', () => {
    expect(levelsIn(ladderIdentical({ allowed: 0 }), again(40))).toEqual([]);
    expect(levelsIn(ladderIdentical({ allowed: 1 }), again(4))).toEqual(['block at 2', 'block at 4']);
  });

  test('D4 what is exempt or polls may go on', () => {
    for (const traits of [{ identity: 'exempt' } as const, { polling: true } as const]) {
      expect(
        levelsIn(
          ladderIdentical(undefined, () => traits),
          again(9),
        ),
      ).toEqual([]);
    }
  });

  test('D4 in a run: the refused call gets the reason, its tool does not run, the loop continues', async () => {
    let ran = 0;
    const ring = tool('ring', async () => {
      ran += 1;
      return { output: 'rung' };
    });
    const { play } = createHarness({
      tools: [ring],
      model: { answers: [{ calls: [{ tool: 'ring', arguments: {} }], repeat: 5 }, { text: 'done' }] },
    });
    const detectors = [
      { name: 'identical-calls', config: { threshold: 9 } },
      { name: 'ladder-identical', config: {} },
    ];
    const { outcome, facts } = await play({ detectors });
    expect(outcome.ending).toBe('success');
    expect(ran).toBe(4);
    const refused = facts.flatMap((fact) => (fact.type === 'calls.admitted' ? fact.payload.refused : []));
    expect(refused).toEqual([{ callId: '3.0', reason: 'refused: the same call 4 times in a row: ring' }]);
  });
});
