import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type pg from 'pg';
import { openPostgresLog } from '../../src/log/postgres/open-postgres-log.ts';
import { logContract } from '../../src/testing/log-contract/log-contract.ts';
import { startPostgres, type TestServer, withoutPostgres } from '../support/postgres.ts';

const RUNNER = { describe, expect, onTestFinished, test };
const SCHEMA = 'contract';
const EMPTY = `TRUNCATE ${['runs', 'events', 'blobs', 'leases', 'inbox', 'snapshots', 'outbox', 'submissions']
  .map((table) => `${SCHEMA}.${table}`)
  .join(', ')} RESTART IDENTITY`;

describe.skipIf(withoutPostgres)(`H2 postgres${withoutPostgres ? `, ${withoutPostgres}` : ''}`, () => {
  let server: TestServer;
  let beside: pg.Client;

  beforeAll(async () => {
    server = await startPostgres();
    beside = await server.connect();
    await (await openPostgresLog(server.url(SCHEMA))).close();
  });
  afterAll(async () => {
    await beside.end();
    await server.stop();
  });

  logContract(async (now) => {
    await beside.query(EMPTY);
    return openPostgresLog(server.url(SCHEMA), { now });
  }, RUNNER);
});
