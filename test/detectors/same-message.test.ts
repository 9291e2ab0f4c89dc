import { describe, expect, test } from 'vitest';
import { sameMessage } from '../../src/detectors/same-message.ts';
import { createHarness } from '../support/harness.ts';
import { tool } from '../support/stand-ins.ts';
import { asks, call, foundIn, levelsIn, read, times } from './turn-story.ts';

const detector = sameMessage();

describe('D3 same-message', () => {
  test('D3 the third identical call of one answer is blocked, with all after it', () => {
    expect(levelsIn(detector, [asks(read('a'), read('a'))])).toEqual([]);
    expect(foundIn(detector, [asks(read('a'), read('b'), read('a'), read('a'))])).toMatchObject([
      { level: 'block', count: 3, calls: ['0.3'], evidence: ['run-1/1'] },
    ]);
    expect(foundIn(detector, [asks(...times(5, () => read('a')))])).toMatchObject([
      { count: 5, calls: ['0.2', '0.3', '0.4'] },
    ]);
  });

  test('D3 the order of keys hides nothing', () => {
    const orders = [call('list', { a: 1, b: 2 }), call('list', { b: 2, a: 1 }), call('list', { a: 1, b: 2 })];
    expect(levelsIn(detector, [asks(...orders)])).toEqual(['block at 1']);
  });

  test('D3 many different calls at once, and the same call in several answers, are not found', () => {
    expect(levelsIn(detector, [asks(...times(40, (index) => read(`${index}`)))])).toEqual([]);
    expect(
      levelsIn(
        detector,
        times(9, () => asks(read('a'), read('a'))),
      ),
    ).toEqual([]);
  });

  test('D3 nothing is exempt at one and the same moment', () =>
    expect(
      levelsIn(
        sameMessage(undefined, () => ({ identity: 'exempt', polling: true })),
        [asks(read('a'), read('a'), read('a'))],
      ),
    ).toEqual(['block at 1']));

  test('D3 in a run: the call is answered with the reason, and its tool never runs', async () => {
    let ran = 0;
    const ring = tool('ring', async () => {
      ran += 1;
      return { output: 'rung' };
    });
    const one = { tool: 'ring', arguments: {} };
    const { play } = createHarness({
      tools: [ring],
      model: { answers: [{ calls: [one, one, one] }, { text: 'done' }] },
    });
    const { outcome, facts } = await play({ detectors: [{ name: 'same-message', config: {} }] });
    expect(outcome.ending).toBe('success');
    expect(ran).toBe(2);
    const admitted = facts.find(({ type }) => type === 'calls.admitted');
    expect(admitted?.payload).toMatchObject({
      refused: [{ callId: '0.2', reason: 'refused: the same call 3 times in one answer: ring' }],
      findings: [{ detector: 'same-message', level: 'block' }],
    });
  });
});
