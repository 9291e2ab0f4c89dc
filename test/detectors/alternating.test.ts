import { describe, expect, test } from 'vitest';
import { alternating } from '../../src/detectors/alternating.ts';
import { asks, call, done, failed, foundIn, levelsIn, read, refused, step, steered, times } from './turn-story.ts';

const detector = alternating();
const inTurn = (count: number, output: (index: number) => string = () => 'ok') =>
  times(count, (index) => step(read(index % 2 ? 'b' : 'a'), done(output(index))));

describe('D1d alternating', () => {
  test('D1d the sixth call of two in turn stops', () => {
    expect(levelsIn(detector, inTurn(5))).toEqual([]);
    expect(levelsIn(detector, inTurn(6))).toEqual(['stop at 12']);
    expect(foundIn(detector, inTurn(6))).toMatchObject([
      { count: 6, evidence: [2, 4, 6, 8, 10, 12].map((at) => `run-1/${at}`) },
    ]);
  });

  test('D1d a changed result is progress: edit and test in turn', () => {
    const cycle = (index: number) => [
      ...step(call('edit', { file: 'a' })),
      ...step(call('shell', { command: 'npm test' }), done(`${9 - index} failed`)),
    ];
    expect(levelsIn(detector, times(8, cycle))).toEqual([]);
    expect(
      levelsIn(
        detector,
        inTurn(20, (index) => `line ${index}`),
      ),
    ).toEqual([]);
  });

  test('D1d a third call between, or a person who says more, begins it anew', () => {
    expect(levelsIn(detector, [...inTurn(5), ...step(read('c')), ...inTurn(5)])).toEqual([]);
    expect(levelsIn(detector, [...inTurn(4), steered, ...inTurn(5)])).toEqual([]);
  });

  test('D1d to refuse one of the two does not hide the loop', () => {
    const pair = [...step(read('a'), failed()), ...step(read('b'), refused())];
    expect(
      levelsIn(
        detector,
        times(3, () => pair),
      ),
    ).toEqual(['stop at 12']);
  });

  test('D1d the calls of one answer are one of the two, whichever ends first', () => {
    const both = (...order: readonly number[]) => [asks(read('a'), read('b')), ...order.map((at) => done('ok', at))];
    const inTurns = (count: number) =>
      times(count, (index) => (index % 2 ? step(read('c')) : both(...(index % 4 ? [0, 1] : [1, 0]))));
    expect(levelsIn(detector, inTurns(5))).toEqual([]);
    expect(levelsIn(detector, inTurns(6))).toEqual(['stop at 15']);
    const alone = times(20, () => both(0, 1));
    expect(foundIn(detector, alone)[0]).toMatchObject({ count: 6 });
  });

  test('D1d polling is left to those who look longer', () => {
    const polls = alternating(undefined, (tool) => (tool === 'poll' ? { polling: true } : {}));
    expect(
      levelsIn(
        polls,
        times(20, () => [...step(call('poll')), ...step(call('wait'))]),
      ),
    ).toEqual([]);
  });
});
