import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PostResult, Refusal } from '../../src/kernel/run-message.ts';
import { INBOX_POLL_MS, type InboxEntry } from '../../src/log/inbox-store.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { deliverCommand, type InboxOwner, TreeInbox } from '../../src/runtime/tree-inbox.ts';
import type { LoopRun } from '../../src/runtime/loop-run.ts';
import { settled } from '../support/stand-ins.ts';

const root = 'root';
const steering = { type: 'run.steered', payload: { text: 'and use tabs' } };
const pausing = { type: 'run.paused', payload: { by: 'user' } };
const loops = [turnLoop];
const run = { id: root, parent: null, loop: turnLoop, state: { version: 3 } } as unknown as LoopRun;
const runs = new Map([[root, run]]);
const taken: PostResult = { kind: 'accepted', version: 4 };
const refused = (because: Refusal): PostResult => ({ kind: 'rejected', because });

/** What has become of a command for a run that the log knows, or does not, where its run says this of it. */
async function delivered(record: { readonly closed: string | null } | null, said: PostResult) {
  const log = memoryLog();
  const entry = await log.post(root, steering);
  const asked: InboxEntry[] = [];
  const known = { ...log, run: async () => record } as unknown as typeof log;
  await deliverCommand({ log: known, loops }, entry, [run], async () => (asked.push(entry), said));
  return { asked: asked.length, status: (await log.entry(entry.id))?.status };
}

describe('a command in the inbox of a tree', () => {
  test.each([null, { closed: 'success' }])('is refused as over where its run is %j', async (record) =>
    expect(await delivered(record, taken)).toEqual({
      asked: 0,
      status: { kind: 'rejected', reason: 'the run has ended' },
    }),
  );

  test('is refused with the reason of the run that did not take it', async () =>
    expect(await delivered({ closed: null }, refused('unexpected'))).toEqual({
      asked: 1,
      status: { kind: 'rejected', reason: 'its ending is decided: it is about to end' },
    }));

  test('waits where its run is just leaving, or has taken it', async () => {
    for (const said of [taken, refused('left')])
      expect(await delivered({ closed: null }, said)).toEqual({ asked: 1, status: { kind: 'waiting' } });
  });
});

/** What has become of a pause that the tree answers like this. */
async function paused(said: PostResult) {
  const log = memoryLog();
  const entry = await log.post(root, pausing);
  const asked: number[] = [];
  const known = { ...log, run: async () => ({ closed: null }) } as unknown as InboxOwner['log'];
  const pause: InboxOwner['pause'] = async (_by, id) => (asked.push(id), said);
  const inbox = new TreeInbox({ log: known, loops, root, runs, pause });
  inbox.start();
  await inbox.stop();
  await settled();
  return { asked, id: entry.id, status: (await log.entry(entry.id))?.status };
}

describe('a pause in the inbox of a tree', () => {
  test('is settled by the run that records it, or by the next process', async () => {
    for (const said of [taken, refused('left')]) {
      const { asked, id, status } = await paused(said);
      expect({ asked, status }).toEqual({ asked: [id], status: { kind: 'waiting' } });
    }
  });

  test('is refused with the reason of the run', async () =>
    expect((await paused(refused('aborting'))).status).toEqual({
      kind: 'rejected',
      reason: 'it was aborted, and is about to end',
    }));
});

test('an inbox is looked at once at a time', async () => {
  const first = Promise.withResolvers<readonly InboxEntry[]>();
  let looks = 0;
  const looking = () => ((looks += 1), first.promise);
  const log = { ...memoryLog(), inbox: looking } as unknown as InboxOwner['log'];
  const inbox = new TreeInbox({ log, loops, root, runs, pause: async () => taken });
  inbox.start();
  inbox.start();
  expect(looks).toBe(1);
  first.resolve([]);
  await inbox.stop();
  inbox.start();
  expect(looks).toBe(2);
  await inbox.stop();
});

test('an inbox that is stopped and started again is watched again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  const inboxes = { inbox: async () => ((looks += 1), []), waitingTrees: async () => [root] };
  const log = { ...memoryLog(), ...inboxes } as unknown as InboxOwner['log'];
  const inbox = new TreeInbox({ log, loops, root, runs, pause: async () => taken });
  inbox.start();
  await inbox.stop();
  inbox.start();
  await vi.advanceTimersByTimeAsync(INBOX_POLL_MS);
  expect(looks).toBe(3);
  await inbox.stop();
});
