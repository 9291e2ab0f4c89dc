import { describe, expect, test } from 'vitest';
import { completeChoice, countingResults, fromDefault } from '../../src/detectors/complete-choice.ts';
import { resultsIn } from '../../src/loops/turn/detectors-of.ts';

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

describe('T7 D0+ results count in the runs of agents and in every loop but a bare turn', () => {
  const bare = { loop: 'turn', agent: null, parent: null };
  const counts = { name: 'identical-calls', config: { results: 'count' } };

  test('T7 D0+ a bare turn ignores results; an agent page, another loop and a parent make them count', () => {
    const parent = { run: 'r', effect: 'r/1/1', iteration: 0 };
    expect(
      [bare, { ...bare, agent: 'build' }, { ...bare, loop: 'iteration' }, { ...bare, parent }].map(resultsIn),
    ).toEqual(['ignore', 'count', 'count', 'count']);
  });

  test('T7 D0+ what counts is recorded with the choice, after what a user has said', () => {
    expect(completeChoice(undefined, 'count')).toEqual(['default', counts]);
    expect(completeChoice(['off'], 'count')).toEqual(['off', counts]);
    expect(completeChoice(['chant'], 'count')).toEqual(['chant', 'identical-calls', counts]);
    const four = { name: 'identical-calls', config: { threshold: 4 } };
    expect(completeChoice([four], 'count')).toEqual([four, counts]);
    expect(countingResults([...completeChoice(['chant'], 'count')])).toEqual(completeChoice(['chant'], 'count'));
  });

  test('T7 D0+ a choice that says it is kept, and one without the detector gets none', () => {
    const letter = ['default', { name: 'identical-calls', config: { results: 'ignore' } }];
    expect(completeChoice(letter, 'count')).toEqual(letter);
    expect(completeChoice(['-identical-calls'], 'count')).toEqual(['-identical-calls', 'default']);
    expect(countingResults(['chant'])).toEqual(['chant']);
  });
});
