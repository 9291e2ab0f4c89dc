import { expect, test } from 'vitest';
import { thisProcess } from '../../src/log/holder.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { reportFaults } from '../../src/replay/report-faults.ts';
import { edit } from '../log/damaging.ts';
import { temporaryStore } from '../log/store.ts';
import { createHarness } from '../support/harness.ts';
import { ended, lived } from '../support/run-history.ts';
import { verdicts } from '../support/stand-ins.ts';

const URL = 'https://one.example/hook';
const STATUSES = ['started', 'continuing', 'completed', 'max_iterations', 'stopped'] as const;

const harnessOn = (log: Log, ...passed: boolean[]) =>
  createHarness({ log, model: { answers: [{ text: 'tried' }] }, services: { verify: verdicts(...passed) } });

/** A loop whose second attempt passes, in a file; its first report was delivered. */
async function reported(statuses: readonly (typeof STATUSES)[number][] = STATUSES) {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const harness = harnessOn(log, false, true);
  const webhooks = [{ url: URL, secretVariable: null, statuses: [...statuses] }];
  const live = await harness.supervisor.start({ ...harness.settingsOf({ checks: ['true'] }), webhooks });
  await ended(live);
  const by = thisProcess();
  const first = await log.claimReport({ by, forMs: 1_000, variables: [] });
  if (!first || !(await log.reportDelivered(first, by))) throw new Error('nothing was delivered');
  return { ...harness, path, log, run: live.run, decisions: (await log.reports(live.run)).map(({ id }) => id) };
}

const of = (path: string, run: string) => {
  const log = openSqliteLog(path, { mode: 'read' });
  return reportFaults(log, run, shippedLoops).finally(() => log.close());
};
const LAST = 'WHERE version = (SELECT max(version) FROM outbox)';
const FIRST = 'WHERE version = (SELECT min(version) FROM outbox)';

test('R11 what a run has told is what its facts say: delivered, waiting, and of a continuation', async () => {
  const { log, path, run } = await reported();
  const { supervisor, settingsOf } = harnessOn(log, false);
  expect(await log.reports(run)).toHaveLength(3);
  expect(await log.undelivered(run)).toHaveLength(2);
  const webhooks = [{ url: URL, secretVariable: null, statuses: [...STATUSES] }];
  const short = await supervisor.start({ ...settingsOf({ checks: ['false'], maxIterations: 1 }), webhooks });
  await ended(short);
  const more = lived(await supervisor.extend(short.run, { limits: { maxIterations: 2 } }));
  await ended(more);
  expect((await log.reports(more.run)).length).toBeGreaterThan(0);
  await log.close();
  for (const one of [run, short.run, more.run]) expect(await of(path, one)).toEqual([]);
});

test.each<[what: string, sql: string, reason: string]>([
  [
    'the status',
    `UPDATE outbox SET body = replace(body, '"status":"completed"', '"status":"stopped"') ${LAST}`,
    'its status is "stopped", and "completed" by the events of its run',
  ],
  [
    'the reason',
    `UPDATE outbox SET body = json_set(body, '$.reason', 'because I say so') ${LAST}`,
    'its reason is "because I say so", and "',
  ],
  [
    'the reason of one that was delivered',
    `UPDATE outbox SET body = json_set(body, '$.reason', 'because I say so') ${FIRST}`,
    'its reason is "because I say so", and "',
  ],
  [
    'the type',
    `UPDATE outbox SET body = replace(body, 'loop.completed', 'loop.stopped') ${LAST}`,
    'its type is "loop.st',
  ],
  ['the round', `UPDATE outbox SET body = json_set(body, '$.iteration', 7) ${LAST}`, 'its iteration is 7, and 2 by'],
  [
    'a member less',
    `UPDATE outbox SET body = json_remove(body, '$.label') ${LAST}`,
    'its label is not there, and null',
  ],
  ['a member more', `UPDATE outbox SET body = json_set(body, '$.paid', 1) ${LAST}`, 'its paid is 1, and not there by'],
  ['no report at all', `UPDATE outbox SET body = 'null' ${LAST}`, 'its status is not there, and "completed" by'],
  ['another event', `UPDATE outbox SET version = 1 ${LAST}`, 'its event is nothing that a run reports'],
  ['the process', `UPDATE outbox SET claimed_by = '{' ${LAST}`, 'the column claimed_by names no process'],
])('R11 a report that was edited is named, with what its facts say: %s', async (_, sql, reason) => {
  const { log, path, run } = await reported();
  await log.close();
  edit(path, sql);
  const faults = await of(path, run);
  expect(faults.map((fault) => fault.reason).join('\n')).toContain(reason);
  for (const fault of faults) expect(fault.place).toMatch(new RegExp(`^outbox, reports? (of run )?${run}`));
});

test('R11 a report that the webhook does not want is named', async () => {
  const { log, path, run, decisions } = await reported(['started', 'completed']);
  expect(decisions).toHaveLength(2);
  const facts = [];
  for await (const fact of log.read(run)) if (fact.type === 'decision.made') facts.push(fact.version);
  await log.close();
  edit(path, `UPDATE outbox SET version = ${facts.at(1)} ${LAST}`);
  expect(await of(path, run)).toContainEqual(expect.objectContaining({ reason: 'its run does not report continuing' }));
});

test('R11 of a loop that is not known here nothing is said', async () => {
  const { log, path, run } = await reported();
  await log.close();
  const read = openSqliteLog(path, { mode: 'read' });
  expect(await reportFaults(read, run, [])).toEqual([]);
  await read.close();
});
