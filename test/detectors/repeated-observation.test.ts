import { describe, expect, test } from 'vitest';
import { repeatedObservation } from '../../src/detectors/repeated-observation.ts';
import {
  asks,
  call,
  done,
  foundIn,
  levelsIn,
  lost,
  read,
  says,
  saysAndAsks,
  step,
  steered,
  times,
} from './turn-story.ts';

const detector = repeatedObservation();
const again = (count: number, output: (index: number) => string = () => 'the same') =>
  times(count, (index) => step(read('a'), done(output(index))));

describe('D1a repeated-observation', () => {
  test('D1a the fourth equal call with an equal result stops, with the results as evidence', () => {
    expect(levelsIn(detector, again(3))).toEqual([]);
    expect(levelsIn(detector, again(4))).toEqual(['stop at 8']);
    expect(foundIn(detector, again(4))).toMatchObject([
      { count: 4, evidence: ['run-1/2', 'run-1/4', 'run-1/6', 'run-1/8'] },
    ]);
  });

  test('D1a what is volatile in a result does not hide it', () =>
    expect(
      levelsIn(
        detector,
        again(4, (index) => `3 passed (${100 + index} ms) at 12:00:0${index}`),
      ),
    ).toEqual(['stop at 8']));

  test('D1a what the model says beside its calls hides nothing', () =>
    expect(
      levelsIn(
        detector,
        times(4, (index) => [saysAndAsks(`thought ${index}`, read('a')), done()]),
      ),
    ).toEqual(['stop at 8']));

  test('D1a a changed result is progress', () => {
    expect(
      levelsIn(
        detector,
        again(12, (index) => `line ${index}`),
      ),
    ).toEqual([]);
    expect(levelsIn(detector, [...again(3), ...again(1, () => 'changed'), ...again(3)])).toEqual([]);
  });

  test('D1a pagination, and one file after the other, are no repetition', () => {
    expect(
      levelsIn(
        detector,
        times(12, (page) => step(call('list', { page }), done('ten entries'))),
      ),
    ).toEqual([]);
    expect(
      levelsIn(
        detector,
        times(12, (index) => step(read(`${index}`), done('[empty]'))),
      ),
    ).toEqual([]);
  });

  test('D1a a declared polling tool may say the same for long', () => {
    const polls = repeatedObservation(undefined, (tool) => (tool === 'read' ? { polling: true } : {}));
    expect(levelsIn(polls, again(30))).toEqual([]);
    expect(
      levelsIn(
        polls,
        times(4, () => step(call('list'))),
      ),
    ).toEqual(['stop at 8']);
  });

  test('D1a an exempt tool is looked at all the same: its results count', () =>
    expect(
      levelsIn(
        repeatedObservation(undefined, () => ({ identity: 'exempt' })),
        again(4),
      ),
    ).toEqual(['stop at 8']));

  test('D1a events that are neither calls nor results take no room in the window', () => {
    const between = times(30, () => says('x', 'length'));
    expect(
      levelsIn(
        detector,
        times(4, () => [...step(read('a')), ...between]),
      ).length,
    ).toBe(1);
  });

  test('D1a a user message resets the count; a lost call does not count', () => {
    expect(levelsIn(detector, [...again(3), steered, ...again(3)])).toEqual([]);
    expect(levelsIn(detector, [...again(3), asks(read('a')), lost(), ...again(1)])).toEqual(['stop at 10']);
  });

  test('D1a the calls of one answer are one, whichever ends first', () => {
    const both = (...order: readonly number[]) => [
      asks(read('a'), read('b')),
      ...order.map((index) => done('x', index)),
    ];
    const answers = (count: number) => times(count, (index) => (index % 2 ? both(0, 1) : both(1, 0)));
    expect(levelsIn(detector, answers(3))).toEqual([]);
    expect(levelsIn(detector, answers(4))).toEqual(['stop at 12']);
    const four = [asks(...times(4, () => read('a'))), ...[3, 0, 2, 1].map((index) => done('x', index))];
    expect(levelsIn(detector, four)).toEqual([]);
  });
});
