import { describe, expect, test } from 'vitest';
import { TurnEvent } from '../../machines/events.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { placesOf } from '../../src/charts/transitions.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { explore } from '../../src/testing/graph.ts';
import { begun, signatureOf } from '../../src/testing/search-state.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import * as has from '../support/facts.ts';

const loop = { id: 'turn@1', machine: turn, events: TurnEvent } as const;
const way = [has.decidedToGoOn, has.stepStarted(0), has.modelAskedFor('0.0'), has.callsAdmitted('0.0?')];
const environment: ProofEnvironment = {
  openings: {},
  answers: () => [...way, has.modelInterrupted],
  follows: () => null,
  remarks: () => [has.paused, has.abortRequested()],
  noise: [],
};
const { paths, taking } = explore(loop, environment, has.turnStarted());

describe('exploring', () => {
  test('leads to each situation that the environment brings about, the nearest first', () => {
    expect([...new Set(paths.map(({ end }) => placeOf(end.state.snapshot)))]).toEqual([
      'decide.judging',
      'stream.asking',
      'tools.admitting',
      'decide.aborting',
      'tools.awaitingPerson',
    ]);
    const situations = paths.map(({ end }) => signatureOf(environment, end));
    expect(new Set(situations).size).toBe(situations.length);
  });

  test('says how: the events after the start, and no more than it takes', () => {
    const first = paths.find(({ end }) => placeOf(end.state.snapshot) === 'tools.awaitingPerson');
    expect(first?.events).toEqual(way.filter(({ type }) => type !== 'step.started'));
    expect(first?.end.state.version).toBe(4);
  });

  test('says how each transition is taken, those without an event too', () => {
    expect(taking.get('tools.admitting calls.admitted 0')?.events.at(-1)).toEqual(has.callsAdmitted('0.0?'));
    expect(taking.get('tools.running always 2')?.events).toHaveLength(3);
    expect(taking.get('decide.aborting always 0')?.events.map(({ type }) => type)).toEqual(['abort.requested']);
    expect(taking.has('decide.judging decision.made 2')).toBe(false);
  });

  test('takes states for one that differ in unread members alone', () => {
    const { paths: fewer, taking: taken } = explore(loop, { ...environment, unread: ['answer'] }, has.turnStarted());
    const answered = ({ end }: (typeof paths)[number]) => end.state.snapshot.context.answer !== null;
    expect(new Set(paths.map(answered)).size).toBe(2);
    expect(fewer.length).toBeLessThan(paths.length);
    expect([...taken].map(([id, { events }]) => [id, events])).toEqual(
      [...taking].map(([id, { events }]) => [id, events]),
    );
  });

  test('lets nothing happen between an event and what follows from it', () => {
    const follows: ProofEnvironment['follows'] = ({ type }) => (type === 'decision.made' ? has.stepStarted(0) : null);
    const { paths: followed } = explore(loop, { ...environment, follows }, has.turnStarted());
    for (const { events } of followed) {
      for (const [index, { type }] of events.entries()) {
        if (type === 'decision.made' && index + 1 < events.length)
          expect(events[index + 1]).toEqual(has.stepStarted(0));
      }
    }
  });
});

test('an opening of another loop is refused', () =>
  expect(() => begun(loop, has.loopStarted())).toThrow('the opening names iteration@1, the loop is turn@1'));

test('a place is named by the innermost state', () =>
  expect(placeOf(begun(loop, has.turnStarted()).state.snapshot)).toBe('decide.judging'));

test('the places of a chart are its innermost states, reached or not', () =>
  expect(placesOf(iteration)).toEqual([
    'stream',
    'tools',
    'verify.choosing',
    'verify.baseline',
    'verify.checking',
    'verify.disputed',
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
