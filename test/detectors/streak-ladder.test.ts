import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { streakLadder } from '../../src/detectors/streak-ladder.ts';
import * as has from '../support/facts.ts';
import { createHarness } from '../support/harness.ts';
import { tool } from '../support/stand-ins.ts';
import { answered, asks, call, done, foundIn, levelsIn, read, says, steered, times } from './turn-story.ts';

const detector = streakLadder();
const rounds = (count: number) => times(count, () => asks(read('a')));
const levels = (count: number, config?: Parameters<typeof streakLadder>[0]) =>
  foundIn(streakLadder(config), rounds(count)).map(({ level }) => level);

describe('D7 streak-ladder', () => {
  test('D7 observed at two, blocked from three on, stopped at six', () => {
    expect(levelsIn(detector, rounds(1))).toEqual([]);
    expect(levels(2)).toEqual(['observe']);
    expect(levels(5)).toEqual(['observe', 'block', 'block', 'block']);
    expect(levels(6)).toEqual(['observe', 'block', 'block', 'block', 'stop']);
    expect(foundIn(detector, rounds(6)).at(-1)).toMatchObject({
      count: 6,
      calls: ['0.0'],
      evidence: [1, 2, 3, 4, 5, 6].map((at) => `run-1/${at}`),
    });
  });

  test('D7 identical calls of one answer count once, and a block refuses each of them', () => {
    const both = times(3, () => asks(read('a'), read('a')));
    expect(foundIn(detector, both)).toMatchObject([
      { level: 'observe', count: 2 },
      { level: 'block', count: 3, calls: ['0.0', '0.1'] },
    ]);
    expect(levelsIn(detector, [asks(...times(20, () => read('a')))])).toEqual([]);
  });

  test('D7 other tools between do not reset a streak; another call of the same tool does', () => {
    const between = times(3, () => [asks(read('a')), asks(call('list')), says('so')]);
    expect(levelsIn(detector, between).filter((found) => found.startsWith('block'))).toEqual([
      'block at 7',
      'block at 8',
    ]);
    expect(
      levelsIn(
        detector,
        times(20, (index) => asks(read(index % 2 ? 'a' : 'b'))),
      ),
    ).toEqual([]);
    expect(
      levelsIn(
        detector,
        times(20, (page) => asks(call('list', { page }))),
      ),
    ).toEqual([]);
  });

  test('D7 several calls of one tool in a round have a streak each', () => {
    const same = times(3, () => asks(read('a'), read('b')));
    expect(foundIn(detector, same).at(-1)).toMatchObject({ level: 'block', calls: ['0.0', '0.1'] });
    const half = times(3, (index) => asks(read('a'), read(`${index}`)));
    expect(foundIn(detector, half).at(-1)).toMatchObject({ level: 'block', calls: ['0.0'] });
  });

  test('D7 of several streaks the strongest rung wins, and all that is to be refused is', () => {
    const facts = [...rounds(3), ...times(3, () => asks(read('a'), call('list')))];
    expect(foundIn(detector, facts).at(-1)).toMatchObject({ level: 'stop', count: 6, calls: ['0.0', '0.1'] });
  });

  test('D7 a nudge that is turned on is given once, between what is noted and what is refused', () =>
    expect(levels(6, { observe: 2, nudge: 3, block: 5, stop: 6 })).toEqual(['observe', 'nudge', 'block', 'stop']));

  test('D7 a stop applies until a user message; the answer to a question does not lift it', () => {
    const condemned = rounds(6);
    const granted: LoopEvent = {
      type: 'person.answered',
      payload: { callId: '0.0', answer: 'yes', access: { granted: true, path: '/x' } },
    };
    const after = levelsIn(detector, [
      ...condemned,
      answered(),
      granted,
      done(),
      has.resumed(),
      asks(call('list')),
      says('all is well'),
    ]);
    expect(after.slice(-2)).toEqual(['stop at 11', 'stop at 12']);
    expect(foundIn(detector, [...condemned, asks(call('list'), read('b'))]).at(-1)).toMatchObject({
      level: 'stop',
      calls: ['0.0', '0.1'],
    });
    expect(levelsIn(detector, [...condemned, steered, asks(read('a')), asks(read('a'))]).slice(-2)).toEqual([
      'stop at 6',
      'observe at 9',
    ]);
  });

  test('D7 what is exempt or polls may go on', () => {
    for (const traits of [{ identity: 'exempt' } as const, { polling: true } as const]) {
      expect(
        levelsIn(
          streakLadder(undefined, () => traits),
          rounds(9),
        ),
      ).toEqual([]);
    }
  });

  test('D7 in a run: the third round is refused, the sixth ends it, and its call does not run once more', async () => {
    let ran = 0;
    const ring = tool('ring', async () => {
      ran += 1;
      return { output: 'rung' };
    });
    const { play } = createHarness({
      tools: [ring],
      model: { answers: [{ calls: [{ tool: 'ring', arguments: {} }], repeat: 20 }] },
    });
    const detectors = [
      { name: 'identical-calls', config: { threshold: 20 } },
      { name: 'streak-ladder', config: {} },
    ];
    const { outcome, facts } = await play({ detectors });
    expect(outcome).toMatchObject({
      ending: 'doom_loop',
      finding: { detector: 'streak-ladder', level: 'stop', count: 6 },
    });
    expect(ran).toBe(2);
    const decided = facts.flatMap((fact) => (fact.type === 'decision.made' ? (fact.payload.findings ?? []) : []));
    expect(decided.map(({ level }) => level)).toEqual(['observe', 'block', 'block', 'block', 'stop']);
  });
});
