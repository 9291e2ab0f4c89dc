import { filter, firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { shippedLoops } from '../../src/loops/index.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { Supervisor } from '../../src/runtime/supervisor.ts';
import { appended, elsewhere, fact, take } from '../../src/testing/log-contract/contract.ts';
import { around } from '../support/around.ts';
import { dyingAt } from '../support/dying-log.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { tool, untilStopped, verdicts } from '../support/stand-ins.ts';
import * as has from '../support/facts.ts';

const slow = untilStopped('slow', () => Promise.reject(new Error('cut')));
const model = { answers: [{ calls: [{ tool: 'slow' }] }, { text: 'done' }] };

/** A run that was paused in the middle of a call, or a loop of attempts in whose attempt that was. */
async function paused(loop: 'turn' | 'iteration' = 'turn', log: Log = memoryLog()) {
  const harness = createHarness({ log, tools: [slow], model });
  const { run, observer, pause, done } = await harness.start({
    loop,
    ...(loop === 'iteration' && { checks: ['true'] }),
  });
  const { run: inner } = await observer.untilDelta(({ text }) => text === 'slow');
  await pause('user');
  await done;
  return { ...harness, log, run, inner };
}
const later = (log: Log) => createHarness({ log, tools: [tool('slow', async () => ({ output: 'done' }))], model });
const rejected = (reason: string) => ({ kind: 'rejected', reason });
const lastOf = async (log: Log, run: string) => (await history(log, run)).at(-1);

describe('a command for a run that no process owns', () => {
  test('is recorded, and starts nothing', async () => {
    const { log, run, supervisor } = await paused();
    const sent = await supervisor.send(run, has.steered);
    const last = await lastOf(log, run);
    expect(last).toMatchObject({ type: 'run.steered', payload: has.steered.payload });
    expect(sent).toEqual({ kind: 'delivered', version: last?.version });
    expect(await log.holder(run)).toBeNull();
  });

  test.each<[what: string, send: (runs: Supervisor, run: string) => Promise<unknown>, times: number]>([
    ['recorded', (runs, run) => runs.send(run, has.steered), 1],
    ['refused', (runs, run) => runs.send(run, has.personAnswered('7.7')), 1],
    ['an abort', (runs, run) => runs.abort(run), 1],
    ['sent after another one', async (runs, run) => (await runs.send(run, has.steered), runs.abort(run)), 2],
  ])('verifies the tree once: %s', async (_, send, times) => {
    const { log, run } = await paused('iteration');
    const verified: string[] = [];
    const counting = around(log, 'verifyTree', async (of) => (verified.push(of), log.verifyTree(of)));
    await send(later(counting).supervisor, run);
    // An abort resumes the attempt, which is verified as it is opened.
    expect(verified.filter((of) => of === run)).toHaveLength(times);
  });

  test('verifies the tree again where it was written before the lease was taken', async () => {
    const { log, run, inner } = await paused('iteration');
    const broken = { kind: 'broken', run: inner, version: 1, reason: 'edited' } as const;
    let isEdited = false;
    const verifying = around(log, 'verifyTree', async (of) => (isEdited ? broken : log.verifyTree(of)));
    const writing = around(verifying, 'post', async (...of) => {
      isEdited = true;
      const { version = 0 } = (await log.run(inner)) ?? {};
      const lease = await take(log, run);
      await appended(log.append({ run: inner, events: [fact()], expectedVersion: version, epoch: lease.epoch }));
      await log.release(lease);
      return log.post(...of);
    });
    await expect(later(writing).supervisor.send(run, has.steered)).rejects.toMatchObject({ kind: 'damaged' });
    expect(await lastOf(log, run)).toMatchObject({ type: 'run.paused' });
  });

  test('is recorded in the run below that takes it', async () => {
    const { log, run, inner, supervisor } = await paused('iteration');
    expect((await lastOf(log, inner))?.payload).toMatchObject({ by: 'user' });
    await supervisor.send(run, has.steered);
    expect((await lastOf(log, inner))?.type).toBe('run.steered');
    expect((await lastOf(log, run))?.type).toBe('run.paused');
  });

  test('is recorded in the run below whose question it answers, though the run that it names refuses it', async () => {
    const calls = [{ tool: 'ask_user', arguments: { question: 'Which?' } }];
    const harness = createHarness({ model: { answers: [{ calls }] } });
    const { run, waiting, pause, done } = await harness.start({
      loop: 'iteration',
      checks: ['true'],
      tools: ['ask_user'],
    });
    await firstValueFrom(waiting.pipe(filter((waits) => waits)));
    await pause('waiting');
    await done;
    const inner = (await harness.log.tree(run)).find(({ parentEffect }) => parentEffect !== null)?.run ?? '';
    expect(await harness.supervisor.send(run, has.personAnswered('0.0'))).toMatchObject({ kind: 'delivered' });
    expect((await history(harness.log, inner)).map(({ type }) => type)).toContain('person.answered');
  });

  test('is refused with the reason where no run takes it', async () => {
    const { log, run, supervisor } = await paused();
    const before = await history(log, run);
    expect(await supervisor.send(run, has.personAnswered('7.7'))).toEqual(
      rejected('call 7.7 is not waiting for a person'),
    );
    expect(await history(log, run)).toEqual(before);
  });

  test('is refused as over where the run has ended, though the tree has not', async () => {
    const { log, run, supervisor } = await paused();
    await ended(await later(log).resume(run));
    expect(await supervisor.send(run, has.steered)).toEqual(rejected('the run has ended'));
  });

  test('is refused with those that came too late before it, and that no process has refused', async () => {
    const { log, run, supervisor } = await paused();
    await ended(await later(log).resume(run));
    const { id } = await log.post(run, { type: 'run.paused', payload: { by: 'user' } });
    expect(await supervisor.send(run, has.steered)).toEqual(rejected('the run has ended'));
    expect((await log.entry(id))?.status).toEqual(rejected('the run has ended'));
  });

  test('leaves what waits as it is where the log is damaged, whichever process holds the run', async () => {
    const { log, run } = await paused();
    await ended(await later(log).resume(run));
    const { id } = await log.post(run, { type: 'run.paused', payload: { by: 'user' } });
    await take(log, run, elsewhere('2'));
    const broken = { kind: 'broken', run, version: 1, reason: 'edited' } as const;
    const damaged = around(log, 'verifyTree', async () => broken);
    await expect(later(damaged).supervisor.send(run, has.steered)).rejects.toMatchObject({ kind: 'damaged' });
    expect((await log.entry(id))?.status).toEqual({ kind: 'waiting' });
  });

  test('is refused as over where only the run that it names has ended', async () => {
    let asked = 0;
    const harness = createHarness({
      tools: [slow],
      model: () => (asked++ === 0 ? { text: 'done' } : { calls: [{ tool: 'slow' }] }),
      services: { verify: verdicts(false) },
    });
    const live = await harness.start({ loop: 'iteration', checks: ['true'] });
    await live.observer.untilDelta(({ text }) => text === 'slow');
    await live.pause('user');
    await live.done;
    const first = (await harness.log.tree(live.run)).find(({ parentEffect, closed }) => parentEffect && closed);
    const { id } = await harness.log.post(live.run, { type: 'run.steered', payload: { text: 'Faster.' } });
    expect(await harness.supervisor.send(first?.run ?? '', has.steered)).toEqual(rejected('the run has ended'));
    expect((await harness.log.entry(id))?.status).toEqual({ kind: 'waiting' });
    // One that was posted before that run had ended.
    const late = await harness.log.post(first?.run ?? '', { type: 'run.steered', payload: { text: 'Faster.' } });
    expect(await harness.supervisor.send(live.run, has.steered)).toMatchObject({ kind: 'delivered' });
    expect((await harness.log.entry(late.id))?.status).toEqual(rejected('the run has ended'));
  });

  test('is sent again where the process that served it was just leaving', async () => {
    const { log, run } = await paused();
    let first = true;
    const leaving = new Proxy(log, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member);
        if (typeof value !== 'function') return value;
        if (member !== 'entry') return value.bind(target);
        return async (id: number) => {
          if (first) await target.reject(id, 'the process that served it was just leaving');
          first = false;
          return target.entry(id);
        };
      },
    });
    expect(await later(leaving).supervisor.send(run, has.steered)).toMatchObject({ kind: 'delivered' });
    expect(await lastOf(log, run)).toMatchObject({ type: 'run.steered' });
  });

  test('is refused where a run of its tree cannot be folded, with what to do', async () => {
    const { log, run, inner, supervisor } = await paused('iteration');
    const { version = 0 } = (await log.run(inner)) ?? {};
    const lease = await take(log, run);
    const events = [fact({ wind: 'north' }, { type: 'weather.changed' })];
    await appended(log.append({ run: inner, events, expectedVersion: version, epoch: lease.epoch }));
    await log.release(lease);
    expect(await supervisor.send(run, has.steered)).toEqual(
      rejected(expect.stringMatching(/^run \S+: version \d+, weather\.changed, cannot be read: /)),
    );
  });
});

describe('a pause of a run that no process owns', () => {
  test('is refused: it is paused already, or stopped', async () => {
    const { run, supervisor } = await paused();
    expect(await supervisor.send(run, has.paused)).toEqual(rejected('it is paused already, until it is resumed'));
    const { clock, log, dying } = dyingAt('calls.admitted');
    const first = await createHarness({ log: dying, tools: [slow], model, clock }).start();
    await expect.poll(async () => (await lastOf(log, first.run))?.type).toBe('calls.admitted');
    clock.advance(60_000);
    expect(await createHarness({ log, tools: [slow], model, clock }).supervisor.send(first.run, has.paused)).toEqual(
      rejected('no process is running it: it is stopped already, until it is resumed'),
    );
  });

  test('is refused when the run is resumed, where it waited until then', async () => {
    const { log, run } = await paused();
    const { id } = await log.post(run, { type: 'run.paused', payload: { by: 'user' } });
    const steering = await log.post(run, { type: 'run.steered', payload: { text: 'and use tabs' } });
    expect((await ended(await later(log).resume(run))).outcome.ending).toBe('success');
    expect((await log.entry(id))?.status).toEqual(rejected('it was stopped already, and has been resumed since'));
    expect((await log.entry(steering.id))?.status).toMatchObject({ kind: 'delivered' });
  });
});

test('an abort that comes while a run leaves is left to the next process', async () => {
  const inner = memoryLog();
  const posted: number[] = [];
  const log = new Proxy(inner, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      if (member !== 'release') return value.bind(target);
      return async (lease: Parameters<Log['release']>[0]) => {
        const payload = { cause: 'user', reason: null };
        if (posted.length === 0) posted.push((await target.post(lease.root, { type: 'abort.requested', payload })).id);
        return target.release(lease);
      };
    },
  });
  const { run } = await paused('turn', log);
  const status = (await inner.entry(posted[0] ?? 0))?.status;
  expect(status).toEqual(rejected('the process that served it was just leaving'));
  expect(await inner.run(run)).toMatchObject({ closed: null });
  expect(await inner.holder(run)).toBeNull();
});

test('a command is refused with the reason where the process that held the run cannot be ended', async () => {
  const { clock, log, dying } = dyingAt('calls.admitted');
  const { run } = await createHarness({ log: dying, tools: [slow], model, clock }).start();
  await expect.poll(async () => (await lastOf(log, run))?.type).toBe('calls.admitted');
  clock.advance(60_000);
  const { makeHandlers } = later(log);
  const endHolder = async () => 'it is on another host';
  const supervisor = new Supervisor({ log, makeHandlers, loops: shippedLoops, clock, endHolder });
  expect(await supervisor.abort(run)).toEqual({
    kind: 'held',
    reason:
      'its lease has expired, but it is on another host. Make sure that it is not at work, then resume the run with ' +
      '--take-over',
  });
  expect(await supervisor.resume(run)).toMatchObject({
    kind: 'held',
    because: 'its lease has expired, but it is on another host',
  });
  expect((await lastOf(log, run))?.type).toBe('calls.admitted');
});
