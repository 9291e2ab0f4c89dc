import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type pg from 'pg';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import { LogError } from '../../src/log/log.ts';
import { openPostgresLog } from '../../src/log/postgres/open-postgres-log.ts';
import { serverAddress } from '../../src/log/server-address.ts';
import { all, appended, elsewhere, fact, history, take, upTo } from '../../src/testing/log-contract/contract.ts';
import { losingAnswers } from '../support/losing-answers.ts';
import { startPooler, withoutPooler } from '../support/pooler.ts';
import { startPostgres, type TestServer, withoutPostgres } from '../support/postgres.ts';

const PASSWORD = 'hunter2-hunter2';

const saidOf = (error: unknown): string =>
  error instanceof LogError ? `${error.kind}: ${error.detail}. ${error.remedy}` : String(error);

describe('H2 addresses of servers', () => {
  test('H2 an address that holds a password is refused, and the sentence does not repeat it', async () => {
    for (const address of [`postgres://ada:${PASSWORD}@db/runs`, `postgres://ada@db/runs?password=${PASSWORD}`]) {
      const refused = await openPostgresLog(address).catch((error: LogError) => error);
      expect(String(refused)).toMatch(/without a password/);
      expect(String(refused)).not.toContain(PASSWORD);
    }
  });

  test('H2 a variable may hold the whole address, and what is shown has neither user nor password', () => {
    const found = serverAddress('env:DB', { DB: `postgresql://ada:${PASSWORD}@db/runs?schema=mine&sslmode=require` });
    expect(found).toMatchObject({ store: 'postgres://db:5432/runs?schema=mine', schema: 'mine' });
    expect(JSON.stringify(found)).not.toContain(PASSWORD);
    expect(typeof found === 'string' || found.connection()).toContain(PASSWORD);
  });

  test.each([
    ['postgres:', /postgres:\/\/USER@HOST/],
    ['postgres://db', /postgres:\/\/USER@HOST/],
    ['postgres://db/runs?schema=My-Runs', /small letters/],
    ['postgres://db/runs?options=x', /no setting but/],
    ['env:', /the name is not/],
    ['env:GONE', /GONE is not/],
  ])('H2 %s is no address, and what is expected is said', (address, sentence) => {
    expect(serverAddress(address, {})).toMatch(sentence);
  });
});

describe.skipIf(withoutPostgres)(`H2 a server that fails${withoutPostgres ? `, ${withoutPostgres}` : ''}`, () => {
  let server: TestServer;
  let beside: pg.Client;
  const opened = (schema: string) => openPostgresLog(server.url(schema));
  const refused = (address: string) => openPostgresLog(address).then(() => 'opened', saidOf);
  /** Ends all connections of logs, as a restart of the server does. */
  const cut = () =>
    beside.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', ['loopfold']);

  beforeAll(async () => {
    server = await startPostgres();
    beside = await server.connect();
  });
  afterAll(async () => {
    await beside.end();
    await server.stop();
  });

  test('H2 what is wrong with a server, a database or rights is said, and what to do', async () => {
    await beside.query('CREATE ROLE guest LOGIN');
    await beside.query('CREATE SCHEMA taken CREATE TABLE others (id int)');
    const at = (user: string, port: number, rest: string) => `postgres://${user}@127.0.0.1:${port}/${rest}`;
    const { port } = server;
    expect(await refused(at('loopfold', 1, 'postgres'))).toMatch(
      /unavailable: the server cannot be reached .*Check host/,
    );
    expect(await refused(at('loopfold', port, 'nothing'))).toMatch(
      /unavailable: there is no such database .*Create it/,
    );
    expect(await refused(at('stranger', port, 'postgres'))).toMatch(
      /unavailable: the server does not let this user in/,
    );
    expect(await refused(at('guest', port, 'postgres'))).toMatch(
      /unavailable: the user .* may not do this .*GRANT CREATE/,
    );
    expect(await refused(at('loopfold', port, 'postgres?schema=taken'))).toMatch(
      /foreign: .*another program.*name another/,
    );
  });

  test('H2 a server that takes no writes, as a replica, says what to do, and is read all the same', async () => {
    const log = await opened('replica');
    await history(log, 'one', 2);
    const closed = `ALTER DATABASE postgres SET default_transaction_read_only = on`;
    await beside.query(closed);
    onTestFinished(async () => {
      await beside.query('SET default_transaction_read_only = off');
      await beside.query('ALTER DATABASE postgres RESET default_transaction_read_only');
    });
    const reader = await openPostgresLog(server.url('replica'), { mode: 'read' });
    const writer = await opened('replica');

    const refusal = await writer.acquire('two', elsewhere('two')).then(String, saidOf);

    expect(refusal).toMatch(/takes no writes here.*Name the primary server/);
    expect(await refused(server.url('none'))).toMatch(/takes no writes here.*Name the primary server/);
    expect(await all(reader.read('one'))).toHaveLength(2);
    await Promise.all([log, reader, writer].map((one) => one.close()));
  });

  test('H2 a server without a certificate is not trusted where the address asks for one', async () => {
    expect(await refused(`${server.url('secret')}&sslmode=verify-full`)).toMatch(
      /no trusted connection.*Check sslmode and sslrootcert/,
    );
  });

  test('H2 a schema of a newer program is refused, and a missing one is not made to be read', async () => {
    await (await opened('newer')).close();
    await beside.query('INSERT INTO newer.loopfold_migrations (version) VALUES (99)');
    expect(await refused(server.url('newer'))).toMatch(
      /unavailable: a newer loopfold wrote it \(schema 99, known \d+\)/,
    );
    const missing = openPostgresLog(server.url('missing'), { mode: 'read' });
    await expect(missing).rejects.toMatchObject({ kind: 'unavailable', detail: 'there is no log' });
    expect((await beside.query(`SELECT to_regnamespace('missing') AS found`)).rows).toEqual([{ found: null }]);
  });

  test.skipIf(withoutPooler)('H2 a log is used through a pool that keeps a session for each connection', async () => {
    const pooler = await startPooler(server.port);
    onTestFinished(() => pooler.stop());
    const log = await openPostgresLog(`postgres://loopfold@127.0.0.1:${pooler.port}/postgres?schema=pooled`);
    onTestFinished(() => log.close());
    await history(log, 'a', 1);
    const over = new AbortController();
    const seen: string[] = [];
    for await (const { run } of log.follow('a', { signal: over.signal })) {
      seen.push(run);
      over.abort();
    }
    expect(seen).toEqual(['a']);
  });

  test('H2 many programs that make one schema at once all find it whole', async () => {
    const logs = await Promise.all(upTo(6).map(() => opened('together')));
    await Promise.all(logs.map((log, index) => history(log, `run-${index}`, 2)));
    expect(await logs[0]?.runs()).toHaveLength(logs.length);
    for (const log of logs) await log.close();
  });

  test('H2 connections that are cut in the middle of appends lose and double nothing', async () => {
    const log = await opened('cut');
    const runs = upTo(4).map((index) => `run-${index}`);
    const writing = runs.map(async (run) => {
      const { epoch } = await take(log, run);
      for (let version = 0; version < 60; version += 2)
        await appended(log.append({ run, events: [fact({ version }), fact()], expectedVersion: version, epoch }));
    });
    let isDone = false;
    const done = Promise.all(writing).finally(() => (isDone = true));
    for (let cuts = 0; !isDone && cuts < 8; cuts += 1) {
      await cut();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await done;
    for (const run of runs) {
      expect((await all(log.read(run))).map(({ version }) => version)).toEqual(upTo(60));
      expect(await log.verify(run)).toMatchObject({ kind: 'intact', version: 60 });
    }
    await log.close();
  });

  test('H2 a server that crashes has every append that was answered, and then takes the rest', async () => {
    const durable = await startPostgres(true);
    const log = await openPostgresLog(durable.url('crash'));
    const { epoch } = await take(log, 'a');
    const next = (version: number) =>
      appended(log.append({ run: 'a', events: [fact()], expectedVersion: version, epoch }));
    for (let version = 0; version < 10; version += 1) await next(version);
    const crashing = durable.crash();
    for (let version = 10; version < 20; version += 1) await next(version);
    await crashing;
    expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 20 });
    await log.close();
    await durable.stop();
  });

  test('H2 an append whose answer was lost is found by its hash, and answered as it is', async () => {
    const between = await losingAnswers(server.port);
    const log = await openPostgresLog(between.url('answer'));
    const { epoch } = await take(log, 'a');
    const append = (expectedVersion: number) =>
      appended(log.append({ run: 'a', events: [fact(), fact()], expectedVersion, epoch }));
    const first = await append(0);
    between.loseNext();
    const second = await append(2);
    expect(between.lost()).toBe(1);
    expect(await all(log.read('a'))).toEqual([...first, ...second]);
    await log.close();
    await between.stop();
  });

  test('H1 a lease ends by the clock of the server, whatever that of the machine says', async () => {
    const log = await opened('clock');
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2001-01-01T00:00:00.000Z'));
    await take(log, 'a', elsewhere('one'));
    const { rows } = await beside.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
    const found = await log.acquire('a', elsewhere('two'));
    const leftMs = Date.parse(found.kind === 'held' ? found.expiresAt : '') - Date.parse(rows[0]?.now ?? '');
    expect(leftMs).toBeLessThanOrEqual(LEASE_TTL_MS);
    expect(leftMs).toBeGreaterThan(0);
    await log.close();
  });

  test('H2 a program that does not close its log ends all the same', () => {
    const { href } = new URL('../../src/log/postgres/open-postgres-log.ts', import.meta.url);
    const program = `
      const { openPostgresLog } = await import(${JSON.stringify(href)});
      const log = await openPostgresLog(${JSON.stringify(server.url('left'))});
      await log.post('a', { type: 'steer.requested', payload: 1 });
      console.log((await log.inbox('a')).length);`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1\n' });
  });

  test('H2 what is posted or given back over a lost connection is there once', async () => {
    const log = await opened('once');
    const lease = await history(log, 'a', 1);
    const posting = upTo(10).map((index) => log.post('a', { type: 'steer.requested', payload: index }));
    await cut();
    const entries = await Promise.all(posting);
    expect((await log.inbox('a')).map(({ payload }) => payload)).toEqual(upTo(10));
    for (const { id } of entries) await log.reject(id, 'no');
    const giving = log.release(lease);
    await cut();
    expect(await giving).toEqual({ kind: 'released' });
    await log.close();
  });

  test('H1 a reader of changes misses no tree whose events got lower positions and were committed later', async () => {
    const log = await opened('order');
    await history(log, 'a', 1);
    await history(log, 'b', 1);
    const [late, early] = [await server.connect(), await server.connect()];
    const insert = `INSERT INTO "order".events (run, version, type, schema, at, epoch, payload, salt, hash)
      SELECT key, 2, 'x', 1, 0, 1, '{}', '', '' FROM "order".runs WHERE run = $1`;
    for (const client of [early, late]) await client.query('BEGIN');
    // The older transaction gets the higher position: its number alone does not say what it has written.
    await early.query('SELECT pg_current_xact_id()');
    await late.query(insert, ['a']);
    await early.query(insert, ['b']);
    const { position: before } = await log.changes(null);
    await early.query('COMMIT');
    const seen = await log.changes(before);
    await late.query('COMMIT');
    const then = await log.changes(seen.position);
    expect([...seen.trees, ...then.trees].toSorted()).toEqual(['a', 'b']);
    for (const client of [early, late]) await client.end();
    await log.close();
  });

  test('H2 a follower of one program sees what another appends, also after its connections were cut', async () => {
    const [one, other] = [await opened('followed'), await opened('followed')];
    const { epoch } = await history(one, 'a', 1);
    const followed = other.follow('a', { signal: AbortSignal.timeout(60_000) });
    const seen: number[] = [];
    for await (const { version } of followed) {
      seen.push(version);
      if (version === 4) break;
      if (version === 2) await cut();
      await appended(one.append({ run: 'a', events: [fact()], expectedVersion: version, epoch }));
    }
    expect(seen).toEqual([1, 2, 3, 4]);
    await one.close();
    await other.close();
  });

  test('H2 events and rows that were taken away are found', async () => {
    const log = await opened('damaged');
    await history(log, 'a', 3);
    await history(log, 'b', 3);
    expect(await log.audit()).toEqual([]);
    await beside.query(`DELETE FROM damaged.events e USING damaged.runs r
      WHERE r.key = e.run AND (r.run = 'a' AND e.version = 3 OR r.run = 'b' AND e.version = 2)`);
    expect(await log.verify('a')).toMatchObject({ kind: 'broken', version: 3 });
    expect(await log.verify('b')).toMatchObject({ kind: 'broken', version: 2 });
    expect((await log.audit()).map(({ place }) => place)).toEqual(['runs, run a']);
    await log.close();
  });

  test('H2 a run that was set back behind the program that writes it is noticed at its next append', async () => {
    const log = await opened('behind');
    const { epoch } = await history(log, 'a', 2);
    await beside.query(`UPDATE behind.runs SET hash = decode(repeat('00', 32), 'hex')`);
    const append = log.append({ run: 'a', events: [fact()], expectedVersion: 2, epoch });
    await expect(append).rejects.toMatchObject({ kind: 'diverged' });
    await log.close();
  });
});
