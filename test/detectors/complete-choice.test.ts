import { describe, expect, test } from 'vitest';
import { completeChoice, fromDefault } from '../../src/detectors/complete-choice.ts';

describe('T7 D0 identical-calls watches every new run that does not leave it out by name', () => {
  test.each([
    [['chant'], ['chant', 'identical-calls']],
    [[], ['identical-calls']],
    [[{ name: 'chant', config: { times: 5 } }], [{ name: 'chant', config: { times: 5 } }, 'identical-calls']],
    [
      ['chant', '-monologue'],
      ['chant', '-monologue', 'identical-calls'],
    ],
  ])('T7 %j does not switch it off', (said, complete) => expect(completeChoice(said)).toEqual(complete));

  test.each([
    [['default']],
    [['strict']],
    [['off']],
    [['off', 'chant']],
    [['identical-calls']],
    [[{ name: 'identical-calls', config: { threshold: 4 } }]],
  ])('T7 %j has it already, and is kept as it was said', (said) => expect(completeChoice(said)).toEqual(said));

  test.each([[['chant', '-identical-calls']], [['off', '-identical-calls']]])('T7 %j leaves it out', (said) =>
    expect(completeChoice(said)).toEqual(said),
  );

  test('T7 a choice that only leaves out leaves out of the default profile', () => {
    expect(completeChoice(['-monologue'])).toEqual(['-monologue', 'default']);
    expect(completeChoice(['-identical-calls'])).toEqual(['-identical-calls', 'default']);
    expect(completeChoice()).toEqual(['default']);
    expect(fromDefault(['chant'])).toEqual(['chant']);
  });
});
