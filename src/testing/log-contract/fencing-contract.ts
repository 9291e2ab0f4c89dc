import { LEASE_TTL_MS } from '../../log/lease-store.ts';
import { appended, AT, elsewhere, fact, history, take } from './log-facts.ts';
import { type Contract, storeClock } from './contract.ts';

/** Who may append: the holder of the lease of the tree, under its epoch. */
export function fencing({ fresh, expect, test }: Contract): void {
  test('fenced: without a lease, with an older or newer epoch, and after giving the lease back', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const append = (epoch: number) => log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch });
    expect(await append(0)).toEqual({ kind: 'fenced', epoch: 0 });
    const stale = await take(log, 'a', elsewhere('1'));
    clock.advance(LEASE_TTL_MS);
    const lease = await take(log, 'a', elsewhere('2'));
    expect(await append(stale.epoch)).toEqual({ kind: 'fenced', epoch: lease.epoch });
    expect(await append(lease.epoch + 1)).toEqual({ kind: 'fenced', epoch: lease.epoch });
    await log.release(lease);
    expect(await append(lease.epoch)).toEqual({ kind: 'fenced', epoch: lease.epoch });
    expect(await log.run('a')).toBeNull();
  });

  test('an expired lease that no other holder took still writes', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const { epoch } = await take(log, 'a', elsewhere('1'));
    clock.advance(LEASE_TTL_MS + 1);
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch }));
  });

  test('a lease held at the root is checked at every append of the tree', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'root', 1);
    const open = (run: string, parentEffect: string) =>
      appended(log.append({ run, events: [fact()], expectedVersion: 0, epoch, parentEffect }));
    await open('child', 'root/1/0');
    await open('grandchild', 'child/1/0');
    const root = { root: 'root', parentEffect: 'child/1/0' };
    expect(await log.findByParentEffect('child/1/0')).toMatchObject({ run: 'grandchild', ...root });
    expect(await log.openedFrom('child')).toMatchObject([{ run: 'grandchild', ...root }]);
    for (const run of ['grandchild', 'chil', 'child0']) expect(await log.openedFrom(run)).toEqual([]);
    const own = await take(log, 'grandchild');
    const append = (by: number) => log.append({ run: 'grandchild', events: [fact()], expectedVersion: 1, epoch: by });
    expect(await append(own.epoch + 1)).toEqual({ kind: 'fenced', epoch });
    expect(await append(epoch)).toMatchObject({ kind: 'appended' });
  });
}
