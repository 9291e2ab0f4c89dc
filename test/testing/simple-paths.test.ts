import { describe, expect, test } from 'vitest';
import { catalogue } from '../../machines/index.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { simplePaths } from '../../src/testing/graph.ts';
import { mutantsOf } from '../mutation/mutants.ts';
import { testInTurn } from '../support/in-turn.ts';

describe('the ways through a chart are counted, so that a new arrow shows', () => {
  test('turn', () => expect(simplePaths(turn)).toEqual({ paths: 73, returns: 148, stays: 1034 }));
  test('iteration', () => expect(simplePaths(iteration)).toEqual({ paths: 53, returns: 89, stays: 342 }));
});

/** Where it is gone, the same of the state around it takes its place. */
const ALIKE = [
  'turn@1: tools.awaitingPerson run.resumed 0: dropped',
  'turn@1: verify.disputed run.resumed 0: dropped',
  'iteration@1: verify.disputed run.resumed 0: dropped',
  'ralph@1: stream.attempting run.resumed 1: dropped',
  'ralph@1: verify.disputed run.resumed 0: dropped',
  'improvement@1: tools.experimenting.awaitingPerson run.resumed 0: dropped',
  'improvement@1: decide.awaitingPerson run.resumed 0: dropped',
];

testInTurn.each(catalogue)('$id: the count changes with every arrow that is taken away', (loop) => {
  const counted = JSON.stringify(simplePaths(loop.machine));
  const dropped = mutantsOf(loop).filter(({ kind }) => kind === 'transition dropped');
  const unseen = dropped
    .filter(({ made }) => JSON.stringify(simplePaths(made().machine)) === counted)
    .map(({ id }) => id);
  expect(unseen).toEqual(ALIKE.filter((id) => id.startsWith(loop.id)));
  expect(dropped.length).toBeGreaterThan(40);
});
