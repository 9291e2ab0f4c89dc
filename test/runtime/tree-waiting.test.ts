import { filter, firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import type { LoopRun } from '../../src/runtime/loop-run.ts';
import type { Live } from '../../src/runtime/own-tree.ts';
import { TreeWaiting } from '../../src/runtime/wait-states.ts';
import { iterationLoop } from '../../src/loops/iteration/definition.ts';
import { delegating } from '../support/delegation.ts';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import { settled } from '../support/stand-ins.ts';

const [attempt = ''] = Object.entries(iterationLoop.effects).flatMap(([actor, spec]) =>
  spec.class === 'child' ? [actor] : [],
);

interface Given {
  readonly pending: Life['pending'];
  readonly parent?: string;
  readonly waitingSince?: string;
  readonly input?: object;
  readonly status?: 'active' | 'done';
  readonly answer?: 'accepted' | 'rejected';
}

/** A run that a tree follows, with what was posted to it. Each of its effects is a child. */
function running(id: string, given: Given) {
  const posted: LoopEvent[] = [];
  let current = given;
  const run = {
    id,
    loop: iterationLoop,
    parent: given.parent ?? null,
    parentEffect: given.parent === undefined ? null : `${given.parent}/4/0`,
    get state() {
      const { pending, waitingSince = null, input = {}, status = 'active' } = current;
      const outstanding = Object.keys(pending).map((key, index) => ({
        key,
        actor: attempt,
        effect: `4/${index}`,
        input,
      }));
      return { snapshot: { status, context: { pending, waitingSince } }, outstanding };
    },
    post: async (event: LoopEvent) => (posted.push(event), { kind: current.answer ?? 'rejected' }),
  };
  return { run: run as unknown as LoopRun, posted, becomes: (next: Given) => void (current = { ...current, ...next }) };
}

function tree(...members: readonly { readonly run: LoopRun }[]) {
  const waiting = new TreeWaiting(new Map(members.map(({ run }) => [run.id, run])));
  const seen: boolean[] = [];
  waiting.changes.subscribe((isWaiting) => seen.push(isWaiting));
  return { waiting, seen };
}

describe('whether a tree waits for a person', () => {
  test('is told at first, and when it changes', () => {
    const root = running('a', { pending: { call: 'owed' } });
    const { waiting, seen } = tree(root);
    waiting.update();
    expect([waiting.isWaiting, seen]).toEqual([false, [false]]);
    root.becomes({ pending: { q: 'asked' } });
    waiting.update();
    waiting.update();
    expect([waiting.isWaiting, seen]).toEqual([true, [false, true]]);
  });

  test('is told no more when the tree is left', () => {
    const root = running('a', { pending: { q: 'asked' } });
    const { waiting, seen } = tree(root);
    waiting.complete();
    waiting.update();
    expect(seen).toEqual([false]);
  });
});

describe('a parent', () => {
  const asking = { pending: { q: 'asked' }, parent: 'a' } as const;

  test('is told once that its child waits for a person, and for which of its calls', async () => {
    const parent = running('a', { pending: { work: 'owed' }, input: { callId: '0.1', lane: 'b' } });
    const { waiting } = tree(parent, running('b', asking));
    waiting.update();
    waiting.update();
    expect(parent.posted).toEqual([{ type: 'child.asked', payload: { child: 'b', callId: '0.1', lane: 'b' } }]);
    await settled();
    waiting.update();
    expect(parent.posted).toHaveLength(2);
  });

  test('is told without a call where its child is the only one', () => {
    const parent = running('a', { pending: { work: 'owed' } });
    tree(parent, running('b', asking)).waiting.update();
    expect(parent.posted).toEqual([{ type: 'child.asked', payload: { child: 'b' } }]);
  });

  test('is not told again what it knows', () => {
    const knowing = running('a', { pending: { work: 'waiting' } });
    tree(knowing, running('b', asking)).waiting.update();
    const waitingItself = running('a', { pending: { work: 'owed' }, waitingSince: '2030-01-01T00:00:00.000Z' });
    tree(waitingItself, running('b', asking)).waiting.update();
    const working = running('a', { pending: { work: 'owed' } });
    tree(working, running('b', { pending: { call: 'owed' }, parent: 'a' })).waiting.update();
    expect([knowing.posted, waitingItself.posted, working.posted]).toEqual([[], [], []]);
  });

  test('is told when its child waits no longer', () => {
    const parent = running('a', { pending: { work: 'waiting' } });
    tree(parent, running('b', { pending: { call: 'owed' }, parent: 'a' })).waiting.update();
    expect(parent.posted).toEqual([{ type: 'child.answered', payload: { child: 'b' } }]);
  });

  test('is told nothing of a child that has ended, that it does not wait for, or whose parent is not here', () => {
    const parent = running('a', { pending: { work: 'owed' } });
    tree(parent, running('b', { ...asking, status: 'done' })).waiting.update();
    const other = running('a', { pending: {} });
    tree(other, running('b', asking)).waiting.update();
    expect(() => tree(running('b', asking)).waiting.update()).not.toThrow();
    expect([parent.posted, other.posted]).toEqual([[], []]);
  });

  test('that has recorded it lets the tree be looked at again', async () => {
    const parent = running('a', { pending: { work: 'owed', call: 'owed' }, answer: 'accepted' });
    const { waiting, seen } = tree(parent, running('b', asking));
    waiting.update();
    expect(seen).toEqual([false]);
    parent.becomes({ pending: { work: 'waiting' } });
    await settled();
    expect(seen).toEqual([false, true]);
    expect(parent.posted).toHaveLength(1);
  });
});

test('a run that waited for a person when it was paused is known to wait when it is resumed', async () => {
  const calls = [{ tool: 'ask_user', arguments: { question: 'Which?' } }];
  const harness = createHarness({ model: { answers: [{ calls }] } });
  const isKnown = ({ waiting }: Pick<Live, 'waiting'>) => firstValueFrom(waiting.pipe(filter((waits) => waits)));
  const first = await harness.start(delegating);
  await isKnown(first);
  await first.pause('waiting');
  await first.done;
  const again = await harness.resume(first.run);
  expect(await isKnown(again)).toBe(true);
  expect((await history(harness.log, first.run)).at(-1)?.type).toBe('run.resumed');
  await again.abort();
  await again.done;
});
