import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as restate from '@restatedev/restate-sdk';
import { v7 as uuidv7 } from 'uuid';
import { restateLoops } from '../../src/hosts/restate/restate-loops.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type RestateServer, startRestate, withoutRestate } from '../support/restate.ts';
import { type Figure, median, repeated, wallSeconds } from './measure.ts';
import { instant, nothing } from './turns.ts';

const STEPS = 20;
const ROUNDS = 5;
const WANTED = 1.5;
const EVENT = 'x'.repeat(900);

/** A turn of 20 steps on Restate, of a loop that is written with its SDK and has as many entries in its journal. */
export async function restateFigures(): Promise<readonly Figure[]> {
  if (withoutRestate) return [];
  const server = await startRestate();
  try {
    const [ratios = []] = await repeated(1, (folder) => measured(server, folder));
    return [
      {
        name: `a turn of ${STEPS} steps on Restate, of a loop by hand with as many entries`,
        value: median(ratios),
        unit: '×',
        bound: { atMost: WANTED },
      },
    ];
  } finally {
    await server.stop();
  }
}

async function measured(server: RestateServer, folder: string): Promise<readonly number[]> {
  const log = openSqliteLog(join(folder, 'log.db'));
  const loops = await restateLoops({
    log,
    model: instant(STEPS),
    tools: [nothing],
    run: { directory: folder },
    warn: () => {},
  });
  const db = new DatabaseSync(join(folder, 'hand.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE facts (run TEXT, text TEXT) STRICT');
  const services = [loops, byHand(db)];
  const listening = createServer(restate.createEndpointHandler({ services, logger: () => {} }));
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  await server.register((listening.address() as AddressInfo).port);
  const ours = () =>
    server.call(uuidv7(), 'drive', { prompt: 'Count.', loop: 'turn', tools: ['nothing'], maxToolCalls: 'none' });
  await ours();
  const [counted] = await server.ask(
    "SELECT count(*) AS entries FROM sys_journal j JOIN sys_invocation i ON i.id = j.id WHERE i.target_handler_name = 'drive'",
  );
  const entries = Number(counted?.['entries']);
  const hand = () => server.post(`hand/${uuidv7()}/drive`, entries);
  await hand();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = await wallSeconds(hand);
    ratios.push((await wallSeconds(ours)) / floor);
  }
  listening.close();
  db.close();
  await log.close();
  return ratios;
}

/** Of each three entries, one marks, one works, and one records, synced. */
const byHand = (db: DatabaseSync) => {
  const insert = db.prepare('INSERT INTO facts (run, text) VALUES (?, ?)');
  return restate.object({
    name: 'hand',
    handlers: {
      drive: async (context: restate.ObjectContext, entries: number) => {
        for (let entry = 0; entry < entries; entry += 3) {
          await context.run('mark', async () => uuidv7());
          await context.run('work', async () => ({ output: `ok ${entry}` }));
          await context.run('record', async () => void insert.run(context.key, EVENT));
        }
      },
    },
  });
};
