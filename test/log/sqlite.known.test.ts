import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { appended, elsewhere, decided, fact, history, take, upTo } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';
import { writer } from './writer.ts';

const one = { run: 'a', events: [fact()], epoch: 1 };

test('where another process has appended meanwhile, a run is not where it was left', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await history(log, 'a', 1);
  const { child, said, ended } = writer('takesPart', path, 'a');
  expect((await said.next()).value).toBe('ready');
  const other = async (expectedVersion: number, closes: string | null = null) => {
    child.stdin?.write(`${JSON.stringify({ expectedVersion, closes })}\n`);
    return (await said.next()).value;
  };
  expect(await other(1)).toBe('appended');
  expect(await log.append({ ...one, expectedVersion: 1 })).toEqual({ kind: 'conflict', version: 2 });
  await appended(log.append({ ...one, expectedVersion: 2 }));
  expect(await other(2)).toEqual({ kind: 'conflict', version: 3 });
  expect(await other(3)).toBe('appended');
  await appended(log.append({ ...one, expectedVersion: 4 }));
  expect(await other(5, 'success')).toBe('appended');
  expect(await log.append({ ...one, expectedVersion: 5 })).toEqual({ kind: 'closed', ending: 'success' });
  child.stdin?.end();
  expect(await ended).toBe(0);
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 6 });
  await log.close();
});

test('a lease that this process or another one gives away is lost for the next append', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const lease = await history(log, 'a', 1);
  const other = openSqliteLog(path, { now: () => Date.now() + 3_600_000 });
  expect(await take(other, 'a', elsewhere('1'))).toMatchObject({ epoch: 2 });
  expect(await log.append({ ...one, expectedVersion: 1 })).toEqual({ kind: 'fenced', epoch: 2 });
  await appended(other.append({ ...one, epoch: 2, expectedVersion: 1 }));
  await other.release({ ...lease, epoch: 2 });
  expect(await other.append({ ...one, epoch: 2, expectedVersion: 2 })).toEqual({ kind: 'fenced', epoch: 2 });
  await other.close();
  await log.close();
});

test('where a transaction was rolled back, a run stands where it stood before', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await history(log, 'a', 2);
  await take(log, 'b');
  // The second one fails, so the first is done again, alone.
  const child = { run: 'b', events: [fact()], expectedVersion: 0, epoch: 1, parentEffect: 'missing/1/0' };
  const both = await Promise.allSettled([log.append({ ...one, expectedVersion: 2 }), log.append(child)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await log.append({ ...one, expectedVersion: 2 })).toEqual({ kind: 'conflict', version: 3 });
  await appended(log.append({ ...one, expectedVersion: 3 }));
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 4 });
  await log.close();
});

test('a run that this process has ended takes nothing more', async () => {
  const log = openSqliteLog(temporaryStore());
  await history(log, 'a', 1);
  await appended(log.append({ ...one, events: [decided('success')], expectedVersion: 1, closes: 'success' }));
  expect(await log.append({ ...one, expectedVersion: 2 })).toEqual({ kind: 'closed', ending: 'success' });
  await log.close();
});

const who = fc.constantFrom(0, 1, 2);

test('whichever of several open logs appends next, each knows where the run stands', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ who, isStale: fc.boolean() }), { maxLength: 24 }), async (steps) => {
      const path = temporaryStore();
      const logs = upTo(3).map(() => openSqliteLog(path));
      const [first] = logs;
      if (first) await history(first, 'a', 2);
      let version = 2;
      for (const { who: index, isStale } of steps) {
        const expectedVersion = isStale ? version - 1 : version;
        const result = await logs[index]?.append({ ...one, expectedVersion });
        if (isStale) expect(result).toEqual({ kind: 'conflict', version });
        else version += Number(result?.kind === 'appended');
      }
      expect(version).toBe(2 + steps.filter(({ isStale }) => !isStale).length);
      expect(await first?.verify('a')).toMatchObject({ kind: 'intact', version });
      for (const log of logs) await log.close();
    }),
    { numRuns: 20 },
  );
});
