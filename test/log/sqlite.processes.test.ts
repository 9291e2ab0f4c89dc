import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isKnownDead } from '../../src/log/holder.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import { SCHEMA } from '../../src/log/sqlite/schema.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { testInTurn } from '../support/in-turn.ts';
import { all, appended, elsewhere, fact, take, upTo } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';
import { writer } from './writer.ts';

testInTurn('four processes that make one store at once lose, double and refuse no version', async () => {
  const path = temporaryStore();
  const runs = ['a', 'b', 'c', 'd'];
  const codes = await Promise.all(runs.map((run) => writer('writes', path, run, 100).ended));
  expect(codes).toEqual([0, 0, 0, 0]);
  await using store = opened(path);
  const positions: number[] = [];
  for (const run of runs) {
    const envelopes = await all(store.log.read(run));
    expect(envelopes.map(({ version }) => version)).toEqual(upTo(100));
    expect(await store.log.verify(run)).toMatchObject({ kind: 'intact', version: 100 });
    positions.push(...envelopes.map(({ position }) => position));
  }
  expect(new Set(positions).size).toBe(400);
});

testInTurn('a process that waited while another made the store takes that one', async () => {
  const path = temporaryStore();
  const first = new DatabaseSync(path);
  first.exec('BEGIN IMMEDIATE');
  const { said, ended } = writer('opens', path, 'a');
  await said.next();
  // Nothing tells from outside that it waits for the lock; were it later, it would find the store made.
  await delay(200);
  first.exec(SCHEMA);
  first.exec('COMMIT');
  first.close();
  expect((await said.next()).value).toEqual([]);
  expect(await ended).toBe(0);
});

testInTurn('processes that fight for one run write one history, each in its own order', async () => {
  const path = temporaryStore();
  const fighters = [1, 2, 3].map(() => writer('fights', path, 'a', 15));
  expect(await Promise.all(fighters.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  await using store = opened(path);
  const envelopes = await all(store.log.read('a'));
  expect(envelopes.map(({ version }) => version)).toEqual(upTo(45));
  expect(envelopes.map(({ epoch }) => epoch)).toEqual(upTo(45));
  const written = envelopes.map(({ payload }) => payload as { pid: number; index: number });
  for (const { child } of fighters) {
    const own = written.filter(({ pid }) => pid === child.pid).map(({ index }) => index);
    expect(own).toEqual(upTo(15).map((count) => count - 1));
  }
});

testInTurn('a follower sees what another process writes, and ends with the run', async () => {
  const path = temporaryStore();
  await using store = opened(path);
  const followed = all(store.log.follow('a', { signal: AbortSignal.timeout(120_000) }));
  const { ended } = writer('writes', path, 'a', 40);
  expect((await followed).map(({ version }) => version)).toEqual(upTo(40));
  expect(await ended).toBe(0);
});

testInTurn('after kill -9 everything acknowledged is there, and the lease is free at once', async () => {
  const path = temporaryStore();
  const { child, said, ended } = writer('writes', path, 'a', 100_000);
  let acknowledged = 0;
  for await (const version of said) {
    acknowledged = version as number;
    if (acknowledged >= 60) break;
  }
  await using store = opened(path);
  const holder = await store.log.holder('a');
  expect(holder).toMatchObject({ pid: child.pid });
  expect(await store.log.acquire('a', elsewhere('1'))).toMatchObject({ kind: 'held' });
  child.kill('SIGKILL');
  await ended;
  expect(holder && isKnownDead(holder)).toBe(true);
  const { epoch } = await take(store.log, 'a');
  expect(epoch).toBe(2);
  const verified = await store.log.verify('a');
  const version = verified.kind === 'intact' ? verified.version : 0;
  expect(version).toBeGreaterThanOrEqual(acknowledged);
  expect(version % 2).toBe(0);
  await appended(store.log.append({ run: 'a', events: [fact()], expectedVersion: version, epoch }));
});

testInTurn('a writer that slept through its lease is fenced when it wakes', async () => {
  const path = temporaryStore();
  const { child, said, ended } = writer('waits', path, 'a');
  expect((await said.next()).value).toBe('ready');
  child.kill('SIGSTOP');
  await using store = opened(path, () => Date.now() + LEASE_TTL_MS);
  const { epoch } = await take(store.log, 'a');
  await appended(store.log.append({ run: 'a', events: [fact()], expectedVersion: 1, epoch }));
  child.kill('SIGCONT');
  child.stdin?.end('go\n');
  expect((await said.next()).value).toEqual({ kind: 'fenced', epoch });
  expect(await ended).toBe(0);
  expect(await all(store.log.read('a'))).toHaveLength(2);
});

test('a full disk refuses the appends of the commit, and keeps what was committed before', async () => {
  const path = temporaryStore();
  const { said, ended } = writer('fills', path, 'a');
  const last = (await said.next()).value as { version: number };
  const { version } = last;
  expect(version).toBeGreaterThan(0);
  const kinds = ['unavailable', 'unavailable'];
  expect(last).toMatchObject({ kinds, verified: { kind: 'intact', version }, record: { version } });
  expect(await ended).toBe(0);
  await using store = opened(path);
  expect(await store.log.verify('a')).toMatchObject({ kind: 'intact', version });
});

testInTurn('a process is known to be dead by its start, not by its number', async () => {
  const { child, said } = writer('waits', temporaryStore(), 'a');
  await said.next();
  const path = child.spawnargs.at(-1)?.match(/'([^']+log\.db)'/)?.[1] ?? '';
  await using store = opened(path);
  const holder = await store.log.holder('a');
  if (!holder) throw new Error('expected a holder');
  expect(isKnownDead(holder)).toBe(false);
  expect(isKnownDead({ ...holder, processStart: 'earlier' })).toBe(true);
  expect(isKnownDead({ ...holder, processStart: 'earlier', host: 'far.away' })).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isKnownDead(holder)).toBe(true);
});

function opened(path: string, now = Date.now) {
  const log = openSqliteLog(path, { now });
  return { log, [Symbol.asyncDispose]: () => log.close() };
}
