import { describe, expect, test } from 'vitest';
import { repeatedError } from '../../src/detectors/repeated-error.ts';
import { createHarness } from '../support/harness.ts';
import { tool } from '../support/stand-ins.ts';
import {
  asks,
  call,
  done,
  failed,
  foundIn,
  levelsIn,
  lost,
  read,
  refused,
  saysAndAsks,
  step,
  steered,
  times,
} from './turn-story.ts';

const detector = repeatedError();
const failing = (count: number) => times(count, (index) => step(read('a'), failed(`error ${index}`)));

describe('D1b repeated-error', () => {
  test('D1b the third failure nudges, the fourth stops, whatever the errors say', () => {
    expect(levelsIn(detector, failing(2))).toEqual([]);
    expect(levelsIn(detector, failing(3))).toEqual(['nudge at 6']);
    expect(levelsIn(detector, failing(4))).toEqual(['nudge at 6', 'stop at 8']);
    expect(foundIn(detector, failing(4)).at(-1)).toMatchObject({
      count: 4,
      evidence: ['run-1/2', 'run-1/4', 'run-1/6', 'run-1/8'],
    });
  });

  test('D1b nudges once in a streak, and again in the next', () => {
    const soft = repeatedError({ nudge: 3, stop: 0 });
    expect(levelsIn(soft, failing(9))).toEqual(['nudge at 6']);
    expect(levelsIn(soft, [...failing(4), ...step(read('a')), ...failing(3)])).toEqual(['nudge at 6', 'nudge at 16']);
  });

  test('D1b a success between, another call, and a person who says more begin it anew', () => {
    for (const between of [step(read('a')), step(read('b'), failed()), step(read('b')), [steered]]) {
      expect(levelsIn(detector, [...failing(2), ...between, ...failing(2)])).toEqual([]);
    }
  });

  test('D1b a retry with other arguments is no repetition', () =>
    expect(
      levelsIn(
        detector,
        times(10, (index) => step(call('edit', { old: `${index}` }), failed())),
      ),
    ).toEqual([]));

  test('D1b key order and thoughts hide nothing', () => {
    const orders = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ];
    const facts = times(4, (index) => [
      saysAndAsks(`thought ${index}`, call('edit', orders[index % 2] ?? {})),
      failed(),
    ]);
    expect(levelsIn(detector, facts)).toEqual(['nudge at 6', 'stop at 8']);
  });

  test('D1b a refused call has failed; one that was lost is no result at all', () => {
    expect(
      levelsIn(
        detector,
        times(4, () => step(read('a'), refused())),
      ),
    ).toEqual(['nudge at 6', 'stop at 8']);
    expect(
      levelsIn(
        detector,
        times(9, () => step(read('a'), lost())),
      ),
    ).toEqual([]);
    expect(levelsIn(detector, [...failing(2), asks(read('a')), lost(), ...failing(1)])).toEqual(['nudge at 8']);
  });

  test('D1b calls of one answer are one step, which has failed where all of them have', () => {
    const four = [asks(...times(4, () => read('a'))), ...[3, 1, 0, 2].map((index) => failed('x', index))];
    expect(foundIn(detector, four)).toEqual([]);
    expect(
      foundIn(
        detector,
        times(3, () => four),
      ),
    ).toMatchObject([{ level: 'nudge', count: 3 }]);
    const halfGood = [asks(read('a'), read('b')), failed('x', 1), done('x', 0)];
    expect(
      levelsIn(
        detector,
        times(9, () => halfGood),
      ),
    ).toEqual([]);
  });

  test('D1b in a run: the next prompt tells the model, and the run is stopped when the model repeats it', async () => {
    const asked: string[] = [];
    const broken = tool('broken', async () => {
      throw new Error('it is broken');
    });
    const { play } = createHarness({
      tools: [broken],
      model: ({ messages }) => {
        asked.push(messages.at(-1)?.role === 'user' ? JSON.stringify(messages.at(-1)) : '');
        return { calls: [{ tool: 'broken', arguments: {} }] };
      },
    });
    const detectors = [
      'off',
      { name: 'identical-calls', config: { threshold: 20 } },
      { name: 'repeated-error', config: {} },
    ];
    const { outcome, run, facts } = await play({ detectors });
    expect(asked.map((text) => text.includes('has failed 3 times in a row: broken'))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'repeated-error', count: 4 } });
    const failures = facts.filter(({ type }) => type === 'tool.failed').map(({ version }) => `${run}/${version}`);
    expect(outcome).toMatchObject({ finding: { evidence: failures } });
  });
});
