import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/log.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { readSummary } from '../../src/projections/read-summary.ts';
import { rebuild } from '../../src/runtime/load.ts';
import { temporaryStore } from '../log/store.ts';
import { playhouse } from '../support/playhouse.ts';
import { untilStopped } from '../support/stand-ins.ts';

/** A paused run in a file that somebody then changes behind the log's back. */
async function tampered(sql: string) {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const house = playhouse({ log, tools: [untilStopped('slow')], model: { answers: [{ calls: [{ tool: 'slow' }] }] } });
  const { run, audience, pause, done } = await house.start();
  await audience.untilHeard(({ text }) => text === 'slow');
  await pause('user');
  await done;
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return { log, house, run };
}

const damage = { name: 'LogError', kind: 'damaged' };

test.each([
  ['a payload was rewritten', `UPDATE events SET payload = replace(payload, 'Do it.', 'Do that.') WHERE version = 1`],
  ['a payload has another shape', `UPDATE events SET payload = '{"x":1}' WHERE version = 4`],
  ['an event is missing', 'DELETE FROM events WHERE version = 4'],
])('nothing is built on a log that is not what was written: %s', async (_, sql) => {
  const { log, house, run } = await tampered(sql);
  const [record] = await log.runs();
  await expect(house.supervisor.resume(run)).rejects.toMatchObject(damage);
  await expect(house.supervisor.abort(run)).rejects.toMatchObject(damage);
  await expect(readSummary(log, run, shippedLoops)).rejects.toMatchObject(damage);
  expect(await log.runs()).toEqual([record]);
  await log.close();
});

test('a state is not folded over a gap', async () => {
  const { log, run } = await tampered('DELETE FROM events WHERE version = 4');
  const message = expect.stringContaining('version 5 follows version 3');
  await expect(rebuild(log, run)).rejects.toMatchObject({ ...damage, message });
  await log.close();
});
