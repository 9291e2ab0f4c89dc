import { EMPTY } from 'rxjs';
import { expect, test, vi } from 'vitest';
import type { ActivityStatus } from '../../../machines/settings.ts';
import { Reporting } from '../../../src/app/running/report-delivery.ts';
import { addressRefusal, maySaySuccess, reportRefusal } from '../../../src/app/running/report-refusal.ts';
import type { Log } from '../../../src/log/log.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { edit } from '../../log/damaging.ts';
import { temporaryStore } from '../../log/store.ts';
import { createHarness } from '../../support/harness.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { ended } from '../../support/run-history.ts';
import { verdicts } from '../../support/stand-ins.ts';

const URL = 'https://one.example/hook';

/** A run that has succeeded, in a log that is still open, and its report of that. */
async function succeeded(statuses: readonly ActivityStatus[] = ['completed']) {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const model = { answers: [{ text: 'tried' }] };
  const { supervisor, settingsOf } = createHarness({ log, model, services: { verify: verdicts(true) } });
  const webhooks = [{ url: URL, secretVariable: null, statuses: [...statuses] }];
  const live = await supervisor.start({ ...settingsOf({ checks: ['true'] }), webhooks });
  await ended(live);
  return { path, log, run: live.run };
}

async function refusalOf(log: Log) {
  const [report] = await log.undelivered();
  if (!report) throw new Error('nothing is owed');
  return reportRefusal(log, shippedLoops, report);
}

test('R11 a success whose tree holds may be sent, and one of a loop that is not known here', async () => {
  const { log } = await succeeded();
  expect(await refusalOf(log)).toBeNull();
  const [report] = await log.undelivered();
  if (report) expect(await reportRefusal(log, [], report)).toBeNull();
  await log.close();
});

test.for<[string, string, RegExp]>([
  ['whose events were edited', `UPDATE events SET payload = '{}' WHERE version = 2`, /does not hold at version 2/],
  ['whose run lost its first event', 'DELETE FROM events WHERE version = 1', /does not hold|damaged|diverged/],
  [
    'that was edited itself',
    `UPDATE outbox SET body = replace(body, '"iteration":1', '"iteration":7')`,
    /its iteration is 7, and 1 by the events of its run/,
  ],
  ['to another address', `UPDATE outbox SET url = 'http://evil/'`, /its run does not report to http:\/\/evil\//],
  [
    'signed by another variable',
    `UPDATE outbox SET secret_variable = 'HOME'`,
    /its run signs reports to https:\/\/one\.example\/hook by another variable/,
  ],
])('R11 a report %s must not be sent, with the reason', async ([, sql, reason]) => {
  const { log, path } = await succeeded();
  edit(path, sql);
  const refusal = await refusalOf(log);
  expect(refusal).toMatch(/^not sent, see `loopfold check`: /);
  expect(refusal).toMatch(reason);
  await log.close();
});

test('R11 a report may say a success unless it is well formed and names another status', () => {
  const body = (type: string, status: string) => ({ body: JSON.stringify({ type, status }) });
  expect(maySaySuccess(body('loop.continuing', 'continuing'))).toBe(false);
  expect(maySaySuccess(body('loop.max_iterations', 'max_iterations'))).toBe(false);
  for (const one of [
    body('loop.completed', 'completed'),
    body('loop.completed', 'stopped'),
    body('loop.stopped', 'completed'),
    body('loop.done', 'done'),
    { body: 'completed' },
  ])
    expect(maySaySuccess(one)).toBe(true);
});

test('R11 deliver compares every report, and sends none of a run and URL after one that was edited', async () => {
  const { log, path } = await succeeded(['started', 'completed']);
  edit(
    path,
    `UPDATE outbox SET body = replace(body, '"iteration":1', '"iteration":7') WHERE body LIKE '%loop.started%'`,
  );
  const sent: string[] = [];
  const reporting = new Reporting({
    log,
    loops: shippedLoops,
    clock: fakeClock(new Date().toISOString()),
    variables: {},
    warn: () => {},
    send: async ({ body }) => (sent.push(body), { kind: 'delivered' }),
  });
  const { delivered, owed } = await reporting.deliver();
  expect([delivered, sent]).toEqual([0, []]);
  expect(owed.map(({ lastError }) => lastError)).toEqual([expect.stringContaining('its iteration is 7'), null]);
  await log.close();
});

test.for<[string, string, string]>([
  ['another address', `UPDATE outbox SET url = 'http://evil/'`, 'its run does not report to http://evil/'],
  ['another variable', `UPDATE outbox SET secret_variable = 'HOME'`, `its run signs reports to ${URL} by another`],
  ['a run that is gone', `UPDATE outbox SET run = 'gone'`, 'its run is not in the log'],
])('R11 a report that is no success is sent to no edited address either, by any run: %s', async ([, sql, reason]) => {
  const { log, path } = await succeeded(['started', 'completed']);
  const [started] = await log.undelivered();
  if (!started || maySaySuccess(started)) throw new Error('its start is not owed');
  expect(await addressRefusal(log, started)).toBeNull();
  edit(path, sql);
  const [edited] = await log.undelivered();
  expect(edited && (await addressRefusal(log, edited))).toContain(reason);
  const sent: string[] = [];
  const clock = fakeClock(new Date().toISOString());
  const parts = { log, loops: shippedLoops, clock, variables: { HOME: '/home' }, warn: () => {} };
  const reporting = new Reporting({ ...parts, send: async ({ url }) => (sent.push(url), { kind: 'delivered' }) });
  const other = { run: 'other', done: Promise.resolve({ kind: 'paused' as const }), settings: null };
  const following = reporting.follow({ ...other, stop: AbortSignal.timeout(500) }, EMPTY);
  await vi.waitFor(async () => expect((await log.undelivered())[0]?.lastError).toContain(reason));
  await following;
  expect(sent).toEqual([]);
  await log.close();
});
