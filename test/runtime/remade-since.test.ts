import { describe, expect, test } from 'vitest';
import type { EventStore } from '../../src/log/event-store.ts';
import { remadeSince } from '../../src/runtime/remade-since.ts';

interface Recorded {
  readonly run: string;
  readonly type: string;
  readonly payload?: object;
}
const remade = (from: number) => ({ remade: { from, hash: `tree-${from}` } });

/** A log of a tree with these events, in the order of their positions. */
const logOf = (...events: readonly Recorded[]): EventStore =>
  ({
    run: async (run: string) => (run === 'nowhere' ? null : { run, root: 'root' }),
    async *read(asked: string) {
      for (const [index, { run, type, payload = {} }] of events.entries())
        if (run === asked) yield { type, payload, position: index + 1 };
    },
  }) as unknown as EventStore;

const begun = { run: 'child', type: 'run.started' };

describe('X4 from what a worktree was made again since a process last worked on a run', () => {
  test('is the newest of what its root has recorded since', async () => {
    const again = (from: number) => ({ run: 'root', type: 'run.resumed', payload: remade(from) });
    const log = logOf(again(1), begun, again(2), again(3), { run: 'root', type: 'run.resumed' });
    expect(await remadeSince(log, 'child')).toEqual({ from: 3, hash: 'tree-3' });
  });

  test.each(['run.resumed', 'run.continued'])('is in %s', async (type) => {
    const log = logOf(begun, { run: 'root', type, payload: remade(2) });
    expect(await remadeSince(log, 'child')).toEqual({ from: 2, hash: 'tree-2' });
  });

  test('is nothing that another event says', async () =>
    expect(
      await remadeSince(logOf(begun, { run: 'root', type: 'run.paused', payload: remade(2) }), 'child'),
    ).toBeNull());

  test('is nothing from before a process began to work on it, or with which it began', async () => {
    const again = { run: 'root', type: 'run.resumed', payload: remade(2) };
    expect(await remadeSince(logOf(again, begun), 'child')).toBeNull();
    expect(await remadeSince(logOf(begun, again, { run: 'child', type: 'run.resumed' }), 'child')).toBeNull();
    expect(await remadeSince(logOf(again), 'root')).toBeNull();
  });

  test('counts from the event of an owner, and from no other', async () => {
    const log = logOf(
      begun,
      { run: 'root', type: 'run.resumed', payload: remade(2) },
      { run: 'child', type: 'run.steered' },
    );
    expect(await remadeSince(log, 'child')).toEqual({ from: 2, hash: 'tree-2' });
  });

  test('is nothing of an unknown run', async () => expect(await remadeSince(logOf(begun), 'nowhere')).toBeNull());
});
