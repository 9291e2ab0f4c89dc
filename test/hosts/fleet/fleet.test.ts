import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openPostgresLog } from '../../../src/log/postgres/open-postgres-log.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { folder } from '../../cli/program.ts';
import { startPostgres, type TestServer, withoutPostgres } from '../../support/postgres.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { fleetScript } from './fleet-script.ts';
import { canUnshare, killStorm } from './kill-storm.ts';

const WHAT = 'a fleet loses no run and does no command twice, though one worker is killed and one is drained';

test(`H3 on sqlite ${WHAT}`, async () => {
  const path = join(await folder(), 'log.db');
  await fleetScript(`sqlite:${path}`, async () => openSqliteLog(path));
});

describe.skipIf(withoutPostgres)(`H3 on postgres${withoutPostgres ? `, ${withoutPostgres}` : ''}`, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test(`H3 ${WHAT}`, async () => {
    const address = server.url('fleet');
    await fleetScript(address, () => openPostgresLog(address));
  });
});

testInTurn.skipIf(withoutPostgres !== null || !canUnshare)(
  'H3 fifty runs survive two minutes of killed workers and three crashes of the server, and no command is done twice',
  killStorm,
);
