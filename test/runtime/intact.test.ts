import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { readSummary } from '../../src/projections/read-summary.ts';
import { load, rebuild } from '../../src/runtime/load-run.ts';
import { temporaryStore } from '../log/store.ts';
import { createHarness } from '../support/harness.ts';
import { untilStopped } from '../support/stand-ins.ts';

/** A paused run in a file that is then changed without the log. */
async function tampered(sql: string) {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const harness = createHarness({
    log,
    tools: [untilStopped('slow')],
    model: { answers: [{ calls: [{ tool: 'slow' }] }] },
  });
  const { run, observer, pause, done } = await harness.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  await pause('user');
  await done;
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return { log, harness, run };
}

const damage = { name: 'LogError', kind: 'damaged' };

test.each([
  ['a payload was rewritten', `UPDATE events SET payload = replace(payload, 'Do it.', 'Do that.') WHERE version = 1`],
  ['a payload has another shape', `UPDATE events SET payload = '{"x":1}' WHERE version = 4`],
  ['an event is missing', 'DELETE FROM events WHERE version = 4'],
])('nothing is built on a log that is not what was written: %s', async (_, sql) => {
  const { log, harness, run } = await tampered(sql);
  const [record] = await log.runs();
  await expect(harness.supervisor.resume(run)).rejects.toMatchObject(damage);
  await expect(harness.supervisor.abort(run)).rejects.toMatchObject(damage);
  await expect(readSummary(log, run, shippedLoops)).rejects.toMatchObject(damage);
  expect(await log.runs()).toEqual([record]);
  await log.close();
});

test('a state is not folded over a gap', async () => {
  const { log, harness, run } = await tampered('DELETE FROM events WHERE version = 4');
  const message = expect.stringContaining('version 5 follows version 3');
  await expect(rebuild(log, run)).rejects.toMatchObject({ ...damage, message });
  await expect(load(log, run, harness.makeHandlers, shippedLoops)).rejects.toMatchObject({ ...damage, message });
  await log.close();
});
