import type { Append } from '../../log/event-store.ts';
import { thisProcess } from '../../log/holder.ts';
import { FIRST_EPOCH } from '../../log/lease-store.ts';
import { type Contract, all, appended, decided, elsewhere, fact, take, upTo } from './contract.ts';

const first: Append = { run: 'a', events: [fact()], expectedVersion: 0, epoch: FIRST_EPOCH };

/** The promises about calls that are made at once, and about what one transaction takes together. */
export function order(contract: Contract): void {
  orderingCalls(contract);
  leasingWithFacts(contract);
}

/** Calls that are made at once take effect in their order, and a reader of changes misses none. */
function orderingCalls({ fresh, expect, test }: Contract): void {
  test('H1 calls of one process take effect in the order in which they were made', async () => {
    const log = await fresh();
    const holder = thisProcess();
    const lease = { root: 'a', epoch: FIRST_EPOCH, holder };
    const last: Append = { ...first, events: [decided('success')], expectedVersion: 1, closes: 'success' };
    const calls = [log.acquire('a', holder), log.append(first), log.append(last), log.release(lease)] as const;
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
    expect(kinds).toEqual(['leased', 'appended', 'appended', 'released']);
    expect(await log.run('a')).toMatchObject({ version: 2, closed: 'success' });
  });

  test('H1 appends to a run that are made at once are all there, in their order', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const appends = upTo(20).map((version) =>
      appended(log.append({ run: 'a', events: [fact({ version })], expectedVersion: version - 1, epoch })),
    );
    await Promise.all(appends);
    const found = await all(log.read('a'));
    expect(found.map(({ payload }) => payload)).toEqual(upTo(20).map((version) => ({ version })));
  });

  test('H1 a reader that asks for changes again and again misses no tree that is committed meanwhile', async () => {
    const log = await fresh();
    const names = upTo(30).map((index) => `run-${index}`);
    const writes = names.map(async (run) => {
      const { epoch } = await take(log, run);
      await appended(log.append({ run, events: [fact(), fact()], expectedVersion: 0, epoch }));
    });
    let isDone = false;
    const done = Promise.all(writes).then(() => (isDone = true));
    const seen = new Set<string>();
    for (let [since, isLast]: [number, boolean] = [0, false]; !isLast;) {
      isLast = isDone;
      const { position, trees } = await log.changes(since);
      for (const tree of trees) seen.add(tree);
      since = position;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await done;
    expect(seen).toEqual(new Set(names));
  });
}

/** One transaction takes facts together with the lease of their tree. */
function leasingWithFacts({ fresh, expect, test }: Contract): void {
  test('H1 the lease of a new tree can be taken with its first facts', async () => {
    const log = await fresh();
    const holder = thisProcess();
    await appended(log.append({ ...first, takesLease: holder }));
    expect(await log.holder('a')).toEqual(holder);
    expect(await log.acquire('a', elsewhere('b'))).toMatchObject({ kind: 'held' });
    expect(await log.renew({ root: 'a', epoch: FIRST_EPOCH, holder })).toEqual({ kind: 'renewed' });
  });

  test('H1 a lease that the log knows is not taken with facts, and nothing is recorded', async () => {
    const log = await fresh();
    const lease = await take(log, 'a', elsewhere('b'));
    await log.release(lease);
    expect(await log.append({ ...first, takesLease: thisProcess() })).toEqual({ kind: 'fenced', epoch: lease.epoch });
    expect(await log.run('a')).toBeNull();
    expect(await log.holder('a')).toBeNull();
  });

  test('H1 the lease can be given back with the last facts, unless a command waits', async () => {
    const log = await fresh();
    const ends: Append = { ...first, events: [decided('success')], closes: 'success', releasesLease: true };
    const given = await log.append({ ...ends, takesLease: thisProcess() });
    expect(given).toMatchObject({ kind: 'appended', isReleased: true });
    expect(await log.holder('a')).toBeNull();

    await appended(log.append({ ...first, run: 'b', takesLease: thisProcess() }));
    await log.post('b', { type: 'abort.requested', payload: null });
    const kept = await log.append({ ...ends, run: 'b', expectedVersion: 1 });
    expect(kept).not.toHaveProperty('isReleased');
    expect(await log.holder('b')).not.toBeNull();
  });
}
