import { expect, test } from 'vitest';
import type { RunSettings } from '../../machines/settings.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { Activities } from '../../src/projections/activities.ts';
import type { Batch } from '../../src/kernel/react.ts';
import { reportsOf } from '../../src/runtime/commit.ts';
import { aroundAppend } from '../support/around-append.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { createHarness } from '../support/harness.ts';
import type { HarnessOptions } from '../support/harness-options.ts';
import { ended, history } from '../support/run-history.ts';
import { verdicts } from '../support/stand-ins.ts';

const ALL = ['started', 'continuing', 'completed', 'max_iterations', 'stopped'] as const;
const webhook = { url: 'https://one.example/hook', secretVariable: 'SIGNS', statuses: [...ALL] };

/** A loop of attempts, of which the second passes its checks, and what it has reported. */
async function reporting(
  webhooks: NonNullable<RunSettings['webhooks']>,
  asked: Partial<RunOptions> = {},
  options: Partial<HarnessOptions> = {},
) {
  const harness = createHarness({
    model: { answers: [{ text: 'tried' }] },
    services: { verify: verdicts(false, true) },
    ...options,
  });
  const settings = harness.settingsOf({ checks: ['true'], ...asked });
  const live = await harness.supervisor.start({ ...settings, webhooks });
  const { outcome } = await ended(live);
  const reports = await harness.log.undelivered();
  return { ...harness, run: live.run, outcome, reports, bodies: reports.map(({ body }) => JSON.parse(body)) };
}

test('R11 each activity of a run is a report, under the id of the event that it is', async () => {
  const { run, log, reports, bodies } = await reporting([webhook]);
  const facts = await history(log, run);
  expect(bodies.map(({ status }) => status)).toEqual(['started', 'continuing', 'completed']);
  expect(reports.map(({ id }) => id)).toEqual(
    facts.filter(({ type }) => type === 'decision.made').map(({ version }) => `${run}/${version}`),
  );
  expect(reports).toMatchObject(Array.from({ length: 3 }, () => ({ run, url: webhook.url, secretVariable: 'SIGNS' })));
  const decided = facts.find(({ type }) => type === 'decision.made');
  expect(bodies[0]).toEqual({
    type: 'loop.started',
    run,
    loop: 'iteration',
    label: null,
    status: 'started',
    iteration: 1,
    maxIterations: 3,
    reason: expect.stringMatching(/./),
    at: decided?.at,
  });
});

test('R6 R11 what is reported is what the log says when it is read again', async () => {
  const { run, log, bodies } = await reporting([webhook]);
  const activities = new Activities(shippedLoops);
  const told = (await history(log, run)).flatMap((fact) => activities.observe(fact) ?? []);
  expect(bodies.map(({ status, iteration, reason, at }) => ({ status, iteration, reason, at }))).toEqual(
    told.map(({ status, iteration, reason, at }) => ({ status, iteration, reason, at })),
  );
});

test('R11 a webhook gets only the statuses that it wants, and each URL its own', async () => {
  const other = { url: 'https://two.example/hook', secretVariable: null, statuses: ['max_iterations' as const] };
  const { reports } = await reporting([{ ...webhook, statuses: ['completed'] }, other]);
  expect(reports.map(({ url, body }) => [url, JSON.parse(body).status])).toEqual([[webhook.url, 'completed']]);

  const capped = await reporting([{ ...webhook, statuses: ['completed'] }, other], { maxIterations: 1 });
  expect(capped.reports.map(({ url, body }) => [url, JSON.parse(body).status])).toEqual([
    [other.url, 'max_iterations'],
  ]);
});

test('R11 attempts and runs without webhooks report nothing', async () => {
  const { reports, log, run } = await reporting([webhook]);
  expect(new Set(reports.map((report) => report.run))).toEqual(new Set([run]));
  expect((await log.runs()).length).toBeGreaterThan(1);
  expect((await reporting([])).reports).toEqual([]);
});

test('R11 a batch that cannot be written reports nothing', async () => {
  const failing = aroundAppend(memoryLog(), async (request, append) => {
    if (request.events.some(({ type }) => type === 'workspace.captured')) throw new Error('disk full');
    return append(request);
  });
  const harness = createHarness({ log: failing, model: { answers: [{ text: 'tried' }] } });
  const settings = harness.settingsOf({ checks: ['true'] });
  const live = await harness.supervisor.start({ ...settings, webhooks: [webhook] });
  await expect(live.done).rejects.toThrow('disk full');
  expect((await failing.undelivered()).map(({ body }) => JSON.parse(body).status)).toEqual(['started']);
});

test('R11 a continuation reports under its own id, and nothing of the past again', async () => {
  const { run, log, extend } = await reporting([webhook], { maxIterations: 1 });
  const before = await log.undelivered();
  const continued = await extend(run, { limits: { maxIterations: 2 } });
  await continued.done;
  const after = await log.undelivered();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map((one) => [one.run, JSON.parse(one.body).status])).toEqual([
    [continued.run, 'continuing'],
    [continued.run, 'completed'],
  ]);
});

const activity = { status: 'stopped', iteration: 1, maxIterations: null, label: null, version: 9, at: '' } as const;
const batchOf = (reason: string) => ({ activities: [{ ...activity, reason }] }) as unknown as Batch;

test('R11 a long reason is cut', () => {
  const { settingsOf } = createHarness({ model: { answers: [{ text: 'tried' }] } });
  const [report] = reportsOf('r', { ...settingsOf({}), webhooks: [webhook] }, batchOf('x'.repeat(10_000)));
  expect(JSON.parse(report?.body ?? '').reason).toHaveLength(2_000);
});

test('R11 a run below another one reports nothing, whatever its settings say', () => {
  const { settingsOf } = createHarness({ model: { answers: [{ text: 'tried' }] } });
  const parent = { run: 'above', effect: 'above/3/0', iteration: 0 };
  expect(reportsOf('r', { ...settingsOf({}), webhooks: [webhook], parent }, batchOf('enough'))).toEqual([]);
});
