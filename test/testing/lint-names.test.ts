import { describe, expect, test } from 'vitest';
import { and, enqueueActions, fromCallback, not } from 'xstate';
import { definitionOf, offencesOf, parts, type SmallParts } from './small-loop.ts';

describe('a name counts as used, and is looked for in `setup`,', () => {
  type Edit = (small: SmallParts, way: object) => void;
  const places: Readonly<Record<string, readonly [edit: Edit, rule: string]>> = {
    'in onDone of an invoke': [({ decide }, way) => void (decide.invoke['onDone'] = way), 'results-are-events'],
    'in onError of an invoke': [({ decide }, way) => void (decide.invoke['onError'] = [way]), 'results-are-events'],
    'in onSnapshot of an invoke': [({ decide }, way) => void (decide.invoke['onSnapshot'] = way), 'results-are-events'],
    'in onDone of a state': [({ decide }, way) => void Object.assign(decide, { onDone: way }), 'results-are-events'],
    'after a time': [({ decide }, way) => void Object.assign(decide, { after: { 9: way } }), 'nothing-waits-by-itself'],
  };
  const rulesBroken = (small: SmallParts): string[] =>
    offencesOf(definitionOf(small)).map(({ rule, found }) => `${rule}: ${found}`);

  test.each(Object.entries(places))('%s, where only the place is wrong', (_where, [edit, rule]) => {
    const small = parts();
    Object.assign(small.named.guards, { isOdd: () => true });
    Object.assign(small.named.actions, { noteOdd: () => {} });
    edit(small, { target: 'tools', guard: 'isOdd', actions: 'noteOdd' });
    expect(rulesBroken(small).map((told) => told.split(':')[0])).toEqual([rule]);
  });

  test.each(Object.entries(places))('%s, where it is not provided either', (_where, [edit, rule]) => {
    const small = parts();
    edit(small, { target: 'tools', guard: 'isOdd', actions: 'noteOdd' });
    expect(rulesBroken(small)).toEqual([
      'names-are-provided: noteOdd is not among the actions',
      'names-are-provided: isOdd is not among the guards',
      expect.stringMatching(rule),
    ]);
  });

  test('in a guard of `setup` that combines others', () => {
    const small = parts();
    Object.assign(small.named.guards, { isOdd: () => true, goesOn: not(and(['isOdd', { type: 'isMissing' }])) });
    expect(rulesBroken(small)).toEqual(['names-are-provided: isMissing is not among the guards']);
  });

  test('in a guard that the chart combines itself, which has to be named', () => {
    const small = parts();
    Object.assign(small.named.guards, { isOdd: () => true });
    small.decide.on['a.happened'] = { guard: not('isOdd'), target: 'stream' };
    expect(rulesBroken(small)).toEqual(['nothing-but-names: a function']);
  });

  test('in an action of `setup` that enqueues it', () => {
    const small = parts();
    Object.assign(small.named.guards, { isOdd: () => true });
    Object.assign(small.named.actions, {
      noteOdd: () => {},
      note: enqueueActions(({ enqueue, check }) => {
        if (check('isOdd' as never)) enqueue('noteOdd' as never);
      }),
    });
    expect(rulesBroken(small)).toEqual([]);
  });
});

test('an event that a wildcard takes is taken, and the wildcard itself is no event', () => {
  const small = parts();
  small.events['b.happened'] = {};
  small.decide.on['b.*'] = { target: 'stream' };
  expect(offencesOf(definitionOf(small)).map(({ rule, found }) => `${rule}: ${found}`)).toEqual([
    'what-is-taken-can-happen: b.* is not in the vocabulary',
  ]);
});

test('an actor without a name is told once, at its place', () => {
  const small = parts();
  small.decide.invoke['src'] = fromCallback(() => {});
  expect(offencesOf(definitionOf(small)).map(({ place, found }) => `${place}: ${found}`)).toEqual([
    'states.decide.invoke.src: an actor without a name',
  ]);
});
