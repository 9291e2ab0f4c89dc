import { expect, test } from 'vitest';
import { open } from '../../src/kernel/fold.ts';
import type { Batch } from '../../src/kernel/react.ts';
import type { Append, AppendResult, EventStore } from '../../src/log/event-store.ts';
import { commit } from '../../src/runtime/commit.ts';
import * as has from '../support/facts.ts';
import { timeAt } from '../support/given.ts';

/** Commits a batch of a run that begins, where the log answers so; with what the log was asked. */
async function committed(result: AppendResult, how: Partial<Parameters<typeof commit>[0]> = {}) {
  const started = { ...has.turnStarted(), version: 1, at: timeAt(0) };
  const opened = open(started);
  if (opened.kind !== 'opened') throw new Error('no machine');
  const batch: Batch = { state: opened.state, events: [], states: [], activities: [] };
  const asked: Append[] = [];
  const log = { append: async (request: Append) => (asked.push(request), result) } as unknown as EventStore;
  const { settings } = started.payload;
  const end = await commit({ log, run: 'a', epoch: 2, expectedVersion: 0, batch, settings, ...how });
  return { end, asked: asked[0] };
}

test.each<[AppendResult, string]>([
  [{ kind: 'conflict', version: 7 }, 'another process wrote version 7'],
  [{ kind: 'fenced', epoch: 3 }, 'the lease passed on: epoch 3 holds it, this writer had 2'],
  [{ kind: 'closed', ending: 'success' }, 'the run has ended (success)'],
  [{ kind: 'duplicate_child', run: 'b' }, 'the effect has opened run b before'],
])('a run that another process owns now is lost, and is told why: $kind', async (result, detail) => {
  expect((await committed(result)).end).toEqual({ kind: 'lost', detail });
});

test('an event that cannot be recorded is an error that names its run', async () => {
  await expect(committed({ kind: 'not_json', index: 1, path: 'x', found: 'NaN' })).rejects.toThrow('a: event 1');
  await expect(committed({ kind: 'too_large', index: 1, bytes: 9, limitBytes: 8 })).rejects.toThrow('a: event 1');
});

test('a batch says which entry it delivers, and which effect it is opened by, where there is one', async () => {
  const appended = { kind: 'appended', envelopes: [] } as const;
  const { end, asked } = await committed(appended, { entry: 5, parentEffect: 'p/1/0' });
  expect(end).toEqual({ kind: 'committed', envelopes: [] });
  expect(asked).toEqual({
    run: 'a',
    events: [],
    expectedVersion: 0,
    epoch: 2,
    delivers: [5],
    parentEffect: 'p/1/0',
  });
  expect(Object.keys((await committed(appended)).asked ?? {})).toEqual(['run', 'events', 'expectedVersion', 'epoch']);
});
