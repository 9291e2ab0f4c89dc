import { describe, expect, test } from 'vitest';
import type { Unreadable } from '../../src/log/read-event.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { timeAt } from '../support/given.ts';
import { editedText, notFolded } from '../../src/runtime/load-run.ts';

const unreadableOf = (machine: string | null): Unreadable => ({
  kind: 'unreadable',
  run: 'a',
  version: 3,
  type: 'odd.happened',
  because: 'unknown_type',
  writtenBy: { machine, program: null },
  at: timeAt(0),
  schema: 1,
  knownSchema: null,
  detail: '',
});

describe('an event that cannot be read', () => {
  test.each(['turn@1', null])('is unreadable where the machine of its run is %s', (machine) =>
    expect(notFolded(unreadableOf(machine), shippedLoops)).toEqual(unreadableOf(machine)),
  );

  test('belongs to an unknown machine where that machine is not known', () =>
    expect(notFolded(unreadableOf('odd@1'), shippedLoops)).toEqual({
      kind: 'unknown_machine',
      machine: 'odd@1',
      known: shippedLoops.map(({ id }) => id),
    }));
});

test('a stored state that was edited is told of, with what to do', () =>
  expect(editedText('a', 100)).toBe(
    'run a: the state that is stored for version 100 is not the one that was stored; the run was folded from its ' +
      'events. `loopfold check` tells whether more was changed.',
  ));
