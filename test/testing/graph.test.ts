import { describe, expect, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { begin } from '../../src/runtime/step.ts';
import { placeOf, placesOf, shortestPaths } from '../../src/testing/graph.ts';
import * as has from '../support/facts.ts';
import { clock, given } from '../support/given.ts';

const started = { ...has.turnStarted(), at: clock(0), version: 1 };
const way = [has.decidedToGoOn, has.modelAskedFor('0.0'), has.callsAdmitted('0.0?')];
const offered = [...way, has.modelInterrupted, has.paused];
const paths = shortestPaths({ machine: turn, started, events: () => offered, distinguish: placeOf });

describe('shortest paths', () => {
  test('lead to each place that the events on offer reach, once', () =>
    expect(paths.map(({ place }) => place)).toEqual([
      'decide.judging',
      'stream.asking',
      'tools.admitting',
      'tools.awaitingPerson',
    ]));

  test('are histories: the events after the start, in order, and no others', () =>
    expect(paths.map(({ events }) => events)).toEqual([0, 1, 2, 3].map((length) => way.slice(0, length))));

  test('can be walked', () => {
    for (const { place, events } of paths) given(turn, ...events).is({ state: place });
  });

  test('see the state when they ask what may happen next', () => {
    const seen = shortestPaths({
      machine: turn,
      started,
      events: (snapshot) => (placeOf(snapshot) === 'decide.judging' ? offered : []),
      distinguish: placeOf,
    });
    expect(seen.map(({ place }) => place)).toEqual(['decide.judging', 'stream.asking']);
  });
});

test('a place is named by the innermost state', () =>
  expect(placeOf(begin(turn, started).snapshot)).toBe('decide.judging'));

test('the places of a chart are its innermost states, reached or not', () =>
  expect(placesOf(iteration)).toEqual([
    'stream',
    'tools',
    'verify.choosing',
    'verify.checking',
    'decide.judging',
    'decide.aborting',
    'decide.ending.summarising',
    'decide.ending.farewell',
    'decide.ending.ended',
    'success',
    'cap_hit',
    'doom_loop',
    'budget',
    'abort',
  ]));
