import { type Contract, appended, AT, fact, history } from './contract.ts';
import { outbox } from './outbox-contract.ts';
import { queue } from './queue-contract.ts';
import type { Json } from '../../log/envelope.ts';

/** What a log passes on: commands to a holder, reports to receivers, tasks to workers. */
export function deliveries(contract: Contract): void {
  const { describe } = contract;
  describe('inbox', () => inbox(contract));
  describe('outbox', () => outbox(contract));
  describe('queue', () => queue(contract));
}

function inbox({ fresh, expect, test }: Contract): void {
  const abort = { type: 'abort.requested', payload: { reason: 'enough' } };

  test('entries wait at the root of the tree, oldest first, until delivered or rejected', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/0' }));
    const toChild = await log.post('b', abort);
    const toRoot = await log.post('a', { type: 'steer.requested', payload: 'left' });
    const elsewhereInTheStore = await log.post('c', abort);
    expect(toChild).toEqual({ id: toChild.id, run: 'b', ...abort, at: AT, status: { kind: 'waiting' } });
    expect(await log.inbox('a')).toEqual([toChild, toRoot]);
    expect((await log.waitingTrees()).toSorted()).toEqual(['a', 'c']);
    expect(await log.inbox('b')).toEqual([]);
    expect(await log.inbox('c')).toEqual([elsewhereInTheStore]);

    const delivers = [toChild.id, elsewhereInTheStore.id];
    const append = { run: 'b', events: [fact(), fact()], expectedVersion: 1, epoch, delivers };
    expect(await log.append({ ...append, expectedVersion: 7 })).toMatchObject({ kind: 'conflict' });
    expect(await log.inbox('a')).toEqual([toChild, toRoot]);
    await appended(log.append(append));
    expect(await log.inbox('a')).toEqual([toRoot]);
    expect(await log.entry(toChild.id)).toEqual({ ...toChild, status: { kind: 'delivered', version: 2 } });
    expect(await log.entry(elsewhereInTheStore.id)).toEqual(elsewhereInTheStore);

    await log.reject(toRoot.id, 'unexpected');
    expect(await log.inbox('a')).toEqual([]);
    expect(await log.entry(toRoot.id)).toMatchObject({ status: { kind: 'rejected', reason: 'unexpected' } });
    expect(await log.entry(toRoot.id + 100)).toBeNull();
  });

  test('an entry is settled once: what came first stands', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    const [one, two] = [await log.post('a', abort), await log.post('a', abort)];
    const delivers = [one.id, two.id];
    await log.reject(one.id, 'first');
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 1, epoch, delivers }));
    await log.reject(two.id, 'late');
    expect(await log.entry(one.id)).toMatchObject({ status: { kind: 'rejected', reason: 'first' } });
    expect(await log.entry(two.id)).toMatchObject({ status: { kind: 'delivered', version: 2 } });
  });

  test('inbox_waiting: a lease is not given back before the inbox is empty', async () => {
    const log = await fresh();
    const lease = await history(log, 'a', 1);
    const entry = await log.post('a', abort);
    expect(await log.release(lease)).toEqual({ kind: 'inbox_waiting', entries: 1 });
    expect(await log.renew(lease)).toEqual({ kind: 'renewed' });
    await log.reject(entry.id, 'no');
    expect(await log.release(lease)).toEqual({ kind: 'released' });
  });

  test('a command that is not JSON is a bug of who posts it', async () => {
    const log = await fresh();
    const payload = { when: undefined } as unknown as Json;
    await expect(log.post('a', { type: 'steer.requested', payload })).rejects.toThrow('undefined at $.when');
    expect(await log.inbox('a')).toEqual([]);
  });
}
