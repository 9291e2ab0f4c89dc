import { expect, test } from 'vitest';
import type { Holder } from '../../src/log/lease-store.ts';
import type { Log } from '../../src/log/log.ts';
import { type EndHolder, leave, takeLease } from '../../src/runtime/take-lease.ts';

const AT = '2030-01-01T00:00:00.000Z';
const holder = (token: string): Holder => ({ host: 'h', pid: 7, processStart: '1', token });

const RUNS = [
  { run: 'root', root: 'root' },
  { run: 'child', root: 'root' },
  { run: 'other', root: 'other' },
];

/** A tree of two runs beside another one; the last holder of its lease is `lapsed`. */
function leaseOf(lapsed: Holder | null) {
  let last = lapsed;
  let expiresAt = AT;
  const acquired: string[] = [];
  const log = {
    store: '/log',
    lapsed: async () => last && { by: last, expiresAt },
    tree: async (root: string) => RUNS.filter((one) => one.root === root),
    acquire: async (root: string) => (acquired.push(root), { kind: 'leased', lease: { root, epoch: 2 } }),
  } as unknown as Log;
  const take = (endHolder: EndHolder, takeOver = false) =>
    takeLease({ log, endHolder, now: () => Date.parse(AT) }, 'root', takeOver);
  const passOn = (to: Holder | null) => void (last = to);
  const renew = (until: string) => void (expiresAt = until);
  return { take, acquired, passOn, renew };
}
const leased = { kind: 'leased', lease: { root: 'root', epoch: 2 } };
const refusing: EndHolder = async () => 'it is on another host';

test('a lease that was given back is taken, and no process is ended', async () => {
  const { take } = leaseOf(null);
  expect(await take(() => Promise.reject(new Error('ended')))).toEqual(leased);
});

test('a process that never gave its lease back is ended first, with the runs of its tree alone', async () => {
  const { take, acquired } = leaseOf(holder('a'));
  const asked: unknown[] = [];
  const ending: EndHolder = async (lapsed, { runs, store }) => {
    expect(acquired).toEqual([]);
    asked.push(lapsed, runs, store);
    return null;
  };
  expect(await take(ending)).toEqual(leased);
  expect(asked).toEqual([holder('a'), ['root', 'child'], '/log']);
});

test('it learns whether that process still is the last holder before it ends it', async () => {
  const { take, passOn } = leaseOf(holder('a'));
  const told: boolean[] = [];
  await take(async (_lapsed, { isLapsed }) => {
    for (const to of [holder('a'), holder('b'), null]) {
      passOn(to);
      told.push(await isLapsed());
    }
    return null;
  });
  expect(told).toEqual([true, false, false]);
});

test('a process that cannot be ended holds the lease, until a person vouches for it', async () => {
  const { take, acquired } = leaseOf(holder('a'));
  expect(await take(refusing)).toEqual({
    kind: 'held',
    by: holder('a'),
    expiresAt: AT,
    because: 'its lease has expired, but it is on another host',
  });
  expect(acquired).toEqual([]);
  expect(await take(refusing, true)).toEqual(leased);
});

test('B3 a process that renews its lease keeps it, though it has always expired by the clock here', async () => {
  const { take, acquired, renew } = leaseOf(holder('a'));
  const renewed = '2030-01-01T00:00:05.000Z';
  const waiting: EndHolder = async (_lapsed, { isLapsed }) => {
    expect(await isLapsed()).toBe(true);
    renew(renewed);
    expect(await isLapsed()).toBe(false);
    return null;
  };
  expect(await take(waiting)).toEqual({ kind: 'held', by: holder('a'), expiresAt: renewed });
  expect(acquired).toEqual([]);
});

test('by default nothing is ended', async () => expect(await leaseOf(holder('a')).take(leave)).toEqual(leased));
