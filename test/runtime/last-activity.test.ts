import { describe, expect, test } from 'vitest';
import type { RunState } from '../../src/kernel/fold.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { isOwning, lastSignOf, SignsOfLife } from '../../src/runtime/last-activity.ts';
import { timeAt } from '../support/given.ts';

const waitingSince = (since: string | null) =>
  ({ snapshot: { context: { waitingSince: since } } }) as unknown as RunState;
const WAITS = waitingSince(timeAt(0));
const WORKS = waitingSince(null);

test('a process that begins to work on a run records one of four events', () => {
  const owning = ['run.started', 'run.resumed', 'run.continued', 'abort.requested'];
  expect(owning.map((type) => isOwning({ type }))).toEqual([true, true, true, true]);
  expect(isOwning({ type: 'run.steered' })).toBe(false);
});

describe('a run is idle since', () => {
  /** Each event: its type, the epoch that wrote it, whether the run waits for people after it. */
  const idleSince = (...events: readonly (readonly [string, number, RunState?])[]): number => {
    const signs = new SignsOfLife();
    for (const [index, [type, epoch, state]] of events.entries())
      signs.observe({ type, epoch, at: timeAt(index) }, state);
    return events.findIndex((_, index) => timeAt(index) === signs.idleSince);
  };

  test('the last event of its owner', () =>
    expect(idleSince(['run.started', 1], ['step.started', 1], ['model.completed', 1])).toBe(2));

  test('and not a command that was recorded while it had none', () => {
    expect(idleSince(['run.started', 1], ['run.paused', 1], ['run.steered', 2])).toBe(1);
    expect(idleSince(['run.started', 1], ['run.steered', 2], ['run.resumed', 3])).toBe(2);
  });

  test('the end of a wait for people, whichever process recorded it', () => {
    expect(idleSince(['run.started', 1, WORKS], ['run.paused', 1, WAITS], ['person.answered', 2, WORKS])).toBe(2);
    expect(idleSince(['run.started', 1, WORKS], ['run.paused', 1, WAITS], ['run.steered', 2, WAITS])).toBe(1);
    expect(idleSince(['run.started', 1, WORKS], ['run.paused', 1, WORKS], ['run.steered', 2, WORKS])).toBe(1);
  });

  test('that end once: commands after it are no activity', () =>
    expect(
      idleSince(
        ['run.started', 1, WORKS],
        ['run.paused', 1, WAITS],
        ['person.answered', 2, WORKS],
        ['run.steered', 3, WORKS],
      ),
    ).toBe(2));
});

const RECORDS = [
  { run: 'root', root: 'root', closed: null, updatedAt: timeAt(90) },
  { run: 'open', root: 'root', closed: null, updatedAt: timeAt(91) },
  { run: 'over', root: 'root', closed: 'success', updatedAt: timeAt(30) },
  { run: 'other', root: 'other', closed: 'success', updatedAt: timeAt(99) },
];

test('a tree is idle since the last activity of any of its runs', async () => {
  const log = {
    tree: async (root: string) => RECORDS.filter((one) => one.root === root),
    async *pages(run: string) {
      yield [{ type: 'run.started', epoch: 1, at: timeAt(10) }];
      if (run === 'open') yield [{ type: 'model.completed', epoch: 1, at: timeAt(20) }];
      yield [{ type: 'run.steered', epoch: 2, at: timeAt(80) }];
    },
  } as unknown as EventStore;
  expect(await lastSignOf(log, 'root')).toBe(timeAt(30));
  expect(await lastSignOf(log, 'nowhere')).toBe('');
});
