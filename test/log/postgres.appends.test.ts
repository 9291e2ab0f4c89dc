import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type pg from 'pg';
import type { Envelope } from '../../src/log/envelope.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import type { Log } from '../../src/log/log.ts';
import { BinaryArrays } from '../../src/log/postgres/binary-arrays.ts';
import { openPostgresLog } from '../../src/log/postgres/open-postgres-log.ts';
import { all, appended, elsewhere, fact, history, take, upTo } from '../../src/testing/log-contract/contract.ts';
import { startPostgres, type TestServer, withoutPostgres } from '../support/postgres.ts';

describe.skipIf(withoutPostgres)(`H2 appends on a server${withoutPostgres ? `, ${withoutPostgres}` : ''}`, () => {
  let server: TestServer;
  let beside: pg.Client;
  const opened = (schema: string) => openPostgresLog(server.url(schema));

  beforeAll(async () => {
    server = await startPostgres();
    beside = await server.connect();
  });
  afterAll(async () => {
    await beside.end();
    await server.stop();
  });

  test('H2 a store of the schema before this one is migrated, and its runs name their writers', async () => {
    const before = await opened('older');
    const { epoch } = await history(before, 'held', 2);
    await before.release(await history(before, 'free', 2));
    await before.close();
    await beside.query(`DROP TRIGGER epoch_of_new_lease ON older.leases; DROP TRIGGER epoch_to_runs ON older.leases;
      DROP TRIGGER epoch_of_lease ON older.runs; ALTER TABLE older.runs DROP COLUMN epoch;
      DROP FUNCTION older.epoch_of_lease; DROP FUNCTION older.epoch_to_runs;
      DELETE FROM older.loopfold_migrations WHERE version = 3`);
    const log = await opened('older');
    onTestFinished(() => log.close());
    const { rows } = await beside.query('SELECT run, epoch FROM older.runs ORDER BY run');
    expect(rows).toEqual([
      { run: 'free', epoch: null },
      { run: 'held', epoch },
    ]);
    await appended(log.append({ run: 'held', events: [fact()], expectedVersion: 2, epoch }));
    expect(await log.append({ run: 'free', events: [fact()], expectedVersion: 2, epoch })).toMatchObject({
      kind: 'fenced',
    });
  });

  test('H2 a run whose row names another writer than its lease does is found', async () => {
    const log = await opened('misnamed');
    await history(log, 'a', 1);
    expect(await log.audit()).toEqual([]);
    await beside.query('UPDATE misnamed.runs SET epoch = 7');
    expect(await log.audit()).toMatchObject([{ place: 'runs, run a', reason: expect.stringContaining('epoch 7') }]);
    await log.close();
  });

  test('H2 arrays in binary are what the server reads', async () => {
    const arrays = new BinaryArrays();
    const texts = ['', null, 'a "quoted" \\ text', 'größer 🙂', 'x'.repeat(300_000), 'y'];
    const [ints, bigints] = [
      [0, -1, 2_147_483_647],
      [-1, 0, 1_772_366_400_123, Number.MAX_SAFE_INTEGER, -62_135_596_800_000],
    ];
    const hexes = ['00ff', '', 'ab'.repeat(32)];
    for (const given of [
      { texts, ints, bigints, hexes },
      { texts: [], ints: [], bigints: [], hexes: [] },
    ]) {
      arrays.restart();
      const bytes = given.hexes.map((hex) => Buffer.from(hex, 'hex'));
      const values = [arrays.texts(given.texts), arrays.ints(given.ints), arrays.bigints(given.bigints)];
      const { rows } = await beside.query(
        `SELECT $1::text[] AS texts, $2::int[] AS ints, $3::bigint[] AS bigints, $4::bytea[] AS hexes,
           $5::bytea[] AS bytes`,
        [...values, arrays.hexes(given.hexes), arrays.bytes([...bytes, null])],
      );
      expect(rows).toEqual([{ ...given, bigints: given.bigints.map(String), hexes: bytes, bytes: [...bytes, null] }]);
    }
  });

  test('H1 an append that meets a takeover comes before it or is refused', async () => {
    const old = await opened('taken_over');
    const next = await openPostgresLog(server.url('taken_over'), { now: () => Date.now() + 2 * LEASE_TTL_MS });
    for (const run of upTo(20).map((index) => `run-${index}`)) {
      const { epoch } = await take(old, run, elsewhere('one'));
      const append = (log: Log, expectedVersion: number, by: number) =>
        log.append({ run, events: [fact()], expectedVersion, epoch: by });
      await appended(append(old, 0, epoch));
      const [racing, taken] = await Promise.all([append(old, 1, epoch), next.acquire(run, elsewhere('two'))]);
      if (taken.kind !== 'leased') throw new Error(taken.kind);
      const version = (await next.run(run))?.version ?? 0;
      expect(version).toBe(racing.kind === 'appended' ? 2 : 1);
      expect(await append(old, version, epoch)).toEqual({ kind: 'fenced', epoch: taken.lease.epoch });
      await appended(append(next, version, taken.lease.epoch));
    }
    await old.close();
    await next.close();
  });

  test('H1 of two writers at one version one appends, also where both write other runs at once', async () => {
    const logs = [await opened('two'), await opened('two')] as const;
    const runs = upTo(8).map((index) => `run-${index}`);
    const epochs = new Map<string, number>();
    for (const run of runs) epochs.set(run, (await history(logs[0], run, 1)).epoch);
    const written: Envelope[] = [];
    for (const round of upTo(20)) {
      const append = (log: Log, run: string) =>
        log.append({ run, events: [fact(), fact()], expectedVersion: 2 * round - 1, epoch: epochs.get(run) ?? 0 });
      const [one, other] = await Promise.all([
        Promise.all(runs.map((run) => append(logs[0], run))),
        Promise.all(runs.toReversed().map((run) => append(logs[1], run))),
      ]);
      const kinds = runs.map((_, index) => [one[index]?.kind, other.toReversed()[index]?.kind].toSorted());
      expect(kinds).toEqual(runs.map(() => ['appended', 'conflict']));
      for (const result of [...one, ...other]) if (result.kind === 'appended') written.push(...result.envelopes);
    }
    for (const run of runs) {
      expect(await logs[0].verify(run)).toMatchObject({ kind: 'intact', version: 41 });
      expect(await all(logs[0].read(run, { from: 2 }))).toEqual(written.filter((event) => event.run === run));
    }
    for (const log of logs) await log.close();
  });
});
