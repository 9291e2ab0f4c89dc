import { describe, expect, test } from 'vitest';
import type { EventStore } from '../../src/log/event-store.ts';
import type { Fact } from '../../src/log/read-event.ts';
import { unreadableSentence } from '../../src/log/unreadable.ts';
import { assertFollows, assertIntact, startOf } from '../../src/runtime/intact.ts';
import type { NotFolded } from '../../src/runtime/load-run.ts';
import { notFoldedSentence } from '../../src/runtime/unfoldable.ts';
import * as has from '../support/facts.ts';
import { timeAt } from '../support/given.ts';

const fact = (event: Pick<Fact, 'type' | 'payload'>) => ({ ...event, run: 'a', version: 1, at: timeAt(0) }) as Fact;

describe('a run that cannot be folded', () => {
  const unknown = { kind: 'unknown_machine', machine: 'odd@2', known: ['turn@1', 'odd@1'] } as const;

  test('says which machine wrote it, which are known, and what to do', () =>
    expect(notFoldedSentence(unknown, 'a')).toBe(
      'run a was written by odd@2, and this version knows turn@1, odd@1. Use the version that wrote it.',
    ));

  test('says why a known machine cannot continue it, and the remedy for that', () =>
    expect(notFoldedSentence({ ...unknown, because: 'its chart has changed', remedy: 'Put it back' }, 'a')).toBe(
      'run a was written by odd@2, and its chart has changed. Put it back.',
    ));

  test('says which event cannot be read', () => {
    const writtenBy = { machine: 'turn@1', program: null };
    const unreadable = { kind: 'unreadable', run: 'b', version: 3, type: 'x', because: 'unknown_type', writtenBy };
    expect(notFoldedSentence(unreadable as NotFolded, 'a')).toBe(unreadableSentence(unreadable as never));
  });
});

describe('a log that is not what was written', () => {
  const told = { name: 'LogError', kind: 'damaged', store: 'run a' };
  const broken = (run: string) =>
    ({
      verifyTree: async () => ({ kind: 'broken', run, version: 4, reason: 'its hash differs' }),
    }) as unknown as EventStore;

  test('names the run and the version whose hash does not hold', async () =>
    expect(assertIntact(broken('a'), 'a')).rejects.toMatchObject({
      ...told,
      message:
        'run a: its hash chain does not hold at version 4: its hash differs. ' +
        'Restore the log from a copy, or save the runs with `loopfold check --repair FILE`.',
    }));

  test('names the run below that is broken, and the one that it is below', async () =>
    expect(assertIntact(broken('b'), 'a')).rejects.toMatchObject({ store: 'run b below run a' }));

  test('is not told of where the chains hold, or the run is not known', async () => {
    for (const kind of ['intact', 'unknown_run'])
      await assertIntact({ verifyTree: async () => ({ kind }) } as unknown as EventStore, 'a');
  });

  test('has a gap, or begins with another event', () => {
    expect(() => assertFollows('a', 3, 4)).not.toThrow();
    expect(() => assertFollows('a', 3, 5)).toThrow('run a: version 5 follows version 3. Restore');
    expect(() => startOf('a', fact(has.steered))).toThrow('run a: it begins with run.steered, not with run.started.');
    expect(startOf('a', fact(has.turnStarted())).type).toBe('run.started');
  });
});
