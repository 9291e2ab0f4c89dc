import { describe, expect, test } from 'vitest';
import { sameTool } from '../../src/detectors/same-tool.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { asks, call, foundIn, levelsIn, read, times } from './turn-story.ts';

const detector = sameTool();
const files = (count: number) => times(count, (index) => asks(read(`${index}`)));

describe('D2c same-tool', () => {
  test('D2c the eighth answer in a row with calls of one tool nudges, once', () => {
    expect(levelsIn(detector, files(7))).toEqual([]);
    expect(levelsIn(detector, files(30))).toEqual(['nudge at 8']);
    expect(foundIn(detector, files(8))[0]?.evidence).toEqual(times(8, (index) => `run-1/${index + 1}`));
    expect(levelsIn(detector, [asks(...times(8, (index) => read(`${index}`)))])).toEqual([]);
  });

  test('D2c another tool between begins it anew', () =>
    expect(levelsIn(detector, [...files(7), asks(call('list')), ...files(7)])).toEqual([]));

  test('D2c the sixth identical call of a turn stops, whatever lies between', () => {
    const spread = (count: number) => times(count, (index) => [asks(read('a')), asks(call('list', { page: index }))]);
    expect(levelsIn(detector, spread(5))).toEqual([]);
    expect(levelsIn(detector, spread(6))).toEqual(['stop at 11']);
    expect(foundIn(detector, spread(6))).toMatchObject([
      { count: 6, evidence: [1, 3, 5, 7, 9, 11].map((at) => `run-1/${at}`) },
    ]);
  });

  test('D2c it remembers two hundred different calls', () => {
    const five = times(5, () => asks(read('a')));
    const others = (count: number) => times(count, (index) => asks(call('list', { index })));
    const soft = sameTool({ nudge: 0, stop: 6 });
    expect(levelsIn(soft, [...five, ...others(199), asks(read('a'))])).toEqual(['stop at 205']);
    expect(levelsIn(soft, [...five, ...others(200), asks(read('a'))])).toEqual([]);
  });

  test('D2c what is exempt or polls is no such tool', () => {
    const traits: TraitsOf = (name) => (name === 'read' ? { identity: 'exempt' } : { polling: true });
    expect(
      levelsIn(
        sameTool(undefined, traits),
        times(20, () => [asks(read('a')), asks(call('poll'))]),
      ),
    ).toEqual([]);
    expect(
      levelsIn(
        sameTool(undefined, traits),
        times(20, () => asks(read('a'))),
      ),
    ).toEqual([]);
  });
});
