import { expect, test } from 'vitest';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { aroundAppend } from '../support/around-append.ts';
import { dyingAt } from '../support/dying-log.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { untilStopped } from '../support/stand-ins.ts';

const MINUTE = 60_000;
const slow = untilStopped('slow', () => Promise.reject(new Error('cut')), { effectClass: 'once' });
const model = { answers: [{ calls: [{ tool: 'slow' }] }, { text: 'done' }] };

async function abortedAndLost() {
  const { clock, log, dying } = dyingAt('abort.requested');
  const first = await createHarness({ log: dying, tools: [slow], model, clock }).start({ checks: ['true'] });
  const { run: child } = await first.observer.untilDelta(({ text }) => text === 'slow');
  void first.abort();
  await expect.poll(async () => (await history(log, first.run)).at(-1)?.type).toBe('abort.requested');
  clock.advance(10 * MINUTE);
  return { log, child, run: first.run, harness: createHarness({ log, tools: [slow], model, clock }) };
}

const closedOf = async (log: Log, ...runs: string[]) =>
  Promise.all(runs.map(async (run) => (await log.run(run))?.closed));

test('L17 a run that died while it was aborting ends after its child, however late it is resumed', async () => {
  const { log, child, run, harness } = await abortedAndLost();
  const resumed = await harness.resume(run);
  expect((await ended(resumed)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
  expect(await closedOf(log, run, child)).toEqual(['abort', 'abort']);
  const settled = (await history(log, run)).find(({ type }) => type === 'child.settled');
  expect(settled?.payload).toMatchObject({ child, spend: { steps: 1 } });
});

test('an abort of such a run takes its child along too, and one of a child that is over says so', async () => {
  const { log, child, run, harness } = await abortedAndLost();
  expect(await harness.supervisor.abort(run)).toMatchObject({ kind: 'delivered' });
  expect(await closedOf(log, run, child)).toEqual(['abort', 'abort']);
  expect(await harness.supervisor.abort(child)).toMatchObject({ kind: 'rejected' });
});

test('L17 the time an attempt worked before a crash counts, though its loop was silent', async () => {
  const { clock, log, dying } = dyingAt('tool.completed');
  const tools = [untilStopped('slow', async () => ({ output: 'cut' }))];
  const first = await createHarness({ log: dying, tools, model, clock }).start({ checks: ['true'], maxTime: '60m' });
  const { run: child } = await first.observer.untilDelta(({ text }) => text === 'slow');
  clock.advance(50 * MINUTE);
  const at = new Date(clock.now()).toISOString();
  await log.append({
    run: child,
    events: [
      {
        type: 'warning.raised',
        schema: 1,
        payload: { code: 'slow', message: 'still at it' },
        causation: null,
        mark: null,
        at,
      },
    ],
    expectedVersion: (await log.run(child))?.version ?? 0,
    epoch: 1,
  });
  clock.advance(MINUTE);
  const second = await createHarness({ log, tools, model, clock }).resume(first.run);
  await second.observer.untilDelta(({ text }) => text === 'slow');
  const idle = (await history(log, first.run)).find(({ type }) => type === 'run.resumed');
  expect(idle?.payload).toMatchObject({ idleMs: MINUTE });
  await second.abort();
  await second.done;
});

test('an attempt that had ended before a crash counts as it ended, and is not begun again', async () => {
  const { clock, log, dying } = dyingAt('strategy.ended');
  const answers = [{ text: 'done', usage: { inputTokens: 5, outputTokens: 2 } }];
  const first = createHarness({ log: dying, model: { answers }, clock });
  const { run } = await first.start({ checks: ['true'], maxIterations: 1 });
  await expect.poll(async () => (await log.runs()).map(({ closed }) => closed)).toEqual([null, 'success']);
  clock.advance(MINUTE);
  const second = createHarness({ log, model: () => ({ text: 'never asked' }), clock });
  expect((await ended(await second.resume(run))).outcome.ending).toBe('success');
  const child = (await log.runs()).find((record) => record.run !== run)?.run;
  const settled = (await history(log, run)).filter(({ type }) => type === 'child.settled');
  expect(settled.map(({ payload }) => payload)).toEqual([
    {
      child,
      outcome: { ending: 'success', verified: null, partial: false },
      answer: 'done',
      spend: expect.objectContaining({ inputTokens: 5, outputTokens: 2 }),
    },
  ]);
});

test('a command whose commit fails is answered, whatever becomes of the run', async () => {
  const log = aroundAppend(memoryLog(), (request, append) =>
    request.events.some(({ type }) => type === 'abort.requested')
      ? Promise.reject(new Error('disk full'))
      : append(request),
  );
  const live = await createHarness({ log, tools: [untilStopped('slow')], model }).start();
  await live.observer.untilDelta(({ text }) => text === 'slow');
  await live.abort();
  await expect(live.done).rejects.toThrow('disk full');
});

test('a parent without any grace leaves no child behind', async () => {
  const harness = createHarness({ tools: [slow], model });
  const settings = { ...harness.settingsOf({ checks: ['true'] }), graceMs: 0 };
  const heard = Promise.withResolvers<string>();
  const live = await harness.supervisor.start(settings, (_facts, deltas) => {
    deltas.subscribe(({ run, text }) => text === 'slow' && heard.resolve(run));
  });
  const child = await heard.promise;
  await live.abort();
  await live.done;
  expect(await closedOf(harness.log, live.run, child)).toEqual(['abort', 'abort']);
});
