import { describe, expect, test, vi } from 'vitest';
import { thisProcess } from '../../src/log/holder.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { OwnLeases } from '../../src/log/own-leases.ts';
import { temporaryStore } from './store.ts';

const HOUR_MS = 3_600_000;

/** A log on the machine's clock, which then jumps; what is measured does not. */
async function afterJump(jumpMs: number, open: () => Log, use: (log: Log) => Promise<void>): Promise<void> {
  const log = open();
  const wall = Date.now;
  let aheadMs = 0;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => wall() + aheadMs);
  try {
    expect(await log.acquire('r', thisProcess())).toMatchObject({ kind: 'leased' });
    aheadMs = jumpMs;
    await use(log);
  } finally {
    spy.mockRestore();
    await log.close();
  }
}

describe.each([
  { name: 'memory', open: () => memoryLog() },
  { name: 'SQLite', open: () => openSqliteLog(temporaryStore()) },
])('B3 a lease in $name', ({ open }) => {
  test.each([2 * HOUR_MS, -48 * HOUR_MS])(
    'B3 that this process holds is held though the clock jumps by %d ms',
    (jumpMs) =>
      afterJump(jumpMs, open, async (log) => {
        expect(await log.holder('r')).toMatchObject({ pid: process.pid });
        expect(await log.lapsed('r')).toBeNull();
        expect(await log.acquire('r', thisProcess())).toMatchObject({ kind: 'held' });
      }),
  );
});

test('B3 a lease is fresh for its span after its newest renewal', () => {
  let now = 0;
  const own = new OwnLeases(() => now);
  const [kept, left] = [thisProcess(), thisProcess()];
  own.renewed({ root: 'run', holder: kept });
  own.renewed({ root: 'run', holder: left });
  now = LEASE_TTL_MS - 1;
  expect([own.isFresh('run', kept), own.isFresh('run', left)]).toEqual([true, true]);
  own.renewed({ root: 'run', holder: kept });
  now += LEASE_TTL_MS - 1;
  expect([own.isFresh('run', kept), own.isFresh('run', left)]).toEqual([true, false]);
  now += 1;
  expect(own.isFresh('run', kept)).toBe(false);
});
