import { thisProcess } from '../../log/holder.ts';
import { LEASE_TTL_MS, MAX_CLOCK_AHEAD_MS } from '../../log/lease-store.ts';
import { AT, elsewhere, take, type Contract, storeClock } from './contract.ts';

export function leases(contract: Contract): void {
  acquiring(contract);
  succeedingStale(contract);
  renewing(contract);
}

/** One holder at a time: the lease is refused to others while it is fresh and its process lives. */
function acquiring({ fresh, expect, test }: Contract): void {
  test('a lease is refused to others until it expires; each new holder raises the epoch', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const [one, two] = [elsewhere('1'), elsewhere('2')];
    expect(await log.acquire('a', one)).toEqual({ kind: 'leased', lease: { root: 'a', epoch: 1, holder: one } });
    const expiresAt = new Date(clock.now() + LEASE_TTL_MS).toISOString();
    expect(await log.acquire('a', two)).toEqual({ kind: 'held', by: one, expiresAt });
    clock.advance(LEASE_TTL_MS - 1);
    expect(await log.acquire('a', two)).toEqual({ kind: 'held', by: one, expiresAt });
    expect(await log.holder('a')).toEqual(one);
    clock.advance(1);
    expect(await log.holder('a')).toBeNull();
    expect(await log.acquire('a', two)).toEqual({ kind: 'leased', lease: { root: 'a', epoch: 2, holder: two } });
    expect(await log.acquire('b', one)).toMatchObject({ kind: 'leased', lease: { epoch: 1 } });
  });

  test('asking again with the same token renews and keeps the epoch', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    await take(log, 'a', elsewhere('1'));
    clock.advance(LEASE_TTL_MS - 1);
    expect(await take(log, 'a', elsewhere('1'))).toMatchObject({ epoch: 1 });
    clock.advance(LEASE_TTL_MS - 1);
    expect(await log.holder('a')).toEqual(elsewhere('1'));
  });

  test('a process keeps its leases apart, and a holder on this host that is gone is succeeded at once', async () => {
    const log = await fresh();
    const living = thisProcess();
    const reused = { ...living, processStart: 'before', token: 'gone' };
    await take(log, 'a', reused);
    expect(await log.holder('a')).toBeNull();
    expect(await take(log, 'a', living)).toMatchObject({ epoch: 2 });
    expect(await log.acquire('a', thisProcess())).toMatchObject({ kind: 'held', by: living });
    expect(await log.holder('a')).toEqual(living);
  });
}

/** Leases that are dated too late, or found stale, pass to the next holder before they end. */
function succeedingStale({ fresh, expect, test }: Contract): void {
  test('a lease that ends more than a day later than one that is taken now holds nothing', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const [one, two] = [elsewhere('1'), elsewhere('2')];
    await take(log, 'a', one);
    const expiresAt = new Date(clock.now() + LEASE_TTL_MS).toISOString();
    clock.advance(-MAX_CLOCK_AHEAD_MS);
    expect(await log.holder('a')).toEqual(one);
    expect(await log.lapsed('a')).toBeNull();
    expect(await log.acquire('a', two)).toEqual({ kind: 'held', by: one, expiresAt });
    clock.advance(-1);
    expect(await log.holder('a')).toBeNull();
    expect(await log.lapsed('a')).toEqual({ by: one, expiresAt });
    expect(await log.acquire('a', two)).toMatchObject({ kind: 'leased', lease: { epoch: 2 } });
    expect(await log.lapsed('a')).toBeNull();
  });

  test('a lease that was found stale is succeeded before it ends, unless it was renewed or taken since', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const [one, two, three] = [elsewhere('1'), elsewhere('2'), elsewhere('3')];
    const lease = await take(log, 'a', one);
    const found = await log.acquire('a', two);
    if (found.kind !== 'held') throw new TypeError(found.kind);
    clock.advance(1);
    await log.renew(lease);
    const renewed = await log.acquire('a', two, found);
    expect(renewed).toEqual({ kind: 'held', by: one, expiresAt: new Date(clock.now() + LEASE_TTL_MS).toISOString() });
    if (renewed.kind !== 'held') throw new TypeError(renewed.kind);
    expect(await log.acquire('a', two, renewed)).toMatchObject({ kind: 'leased', lease: { epoch: 2, holder: two } });
    expect(await log.acquire('a', three, renewed)).toMatchObject({ kind: 'held', by: two });
    expect(await log.renew(lease)).toEqual({ kind: 'lost', epoch: 2 });
  });
}

/** The holder renews its lease and gives it back; one that has lost it is told the newest epoch. */
function renewing({ fresh, expect, test }: Contract): void {
  test('renewed moves the expiry; lost names the newest epoch', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const lease = await take(log, 'a', elsewhere('1'));
    clock.advance(LEASE_TTL_MS - 1);
    expect(await log.renew(lease)).toEqual({ kind: 'renewed' });
    clock.advance(LEASE_TTL_MS - 1);
    expect(await log.acquire('a', elsewhere('2'))).toMatchObject({ kind: 'held' });
    clock.advance(1);
    expect(await log.renew(lease)).toEqual({ kind: 'renewed' });
    clock.advance(LEASE_TTL_MS);
    await take(log, 'a', elsewhere('2'));
    expect(await log.renew(lease)).toEqual({ kind: 'lost', epoch: 2 });
    expect(await log.release(lease)).toEqual({ kind: 'lost', epoch: 2 });
    expect(await log.renew({ ...lease, root: 'b' })).toEqual({ kind: 'lost', epoch: 0 });
  });

  test('released: the tree is free at once, and the next epoch is a new one', async () => {
    const log = await fresh();
    const lease = await take(log, 'a');
    expect(await log.release(lease)).toEqual({ kind: 'released' });
    expect(await log.holder('a')).toBeNull();
    expect(await log.release(lease)).toEqual({ kind: 'lost', epoch: 1 });
    expect(await log.renew(lease)).toEqual({ kind: 'lost', epoch: 1 });
    expect(await take(log, 'a')).toMatchObject({ epoch: 2 });
  });
}
