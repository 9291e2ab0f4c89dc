import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/actors/actor.ts';
import type { VerifyInput } from '../../src/actors/verify/verify-actor.ts';
import { LogError } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { aroundAppend } from '../support/around-append.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { settled, stopped, untilStopped } from '../support/stand-ins.ts';

const locked = () => new LogError('unavailable', 'log.db', 'another process keeps it locked', 'Try again.');
const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
const asks = (name: string) => ({ answers: [{ calls: [{ tool: name }] }, { text: 'done' }] });
const typesOf = async (log: Parameters<typeof history>[0], run: string) =>
  (await history(log, run)).map(({ type }) => type);

describe('a fault of the environment while a run is being aborted', () => {
  test('that strikes the run below leaves both open, and the next process ends both by the same abort', async () => {
    const log = memoryLog();
    let root = '';
    const failing = aroundAppend(log, async (request, append) => {
      const isEndOfChild = request.run !== root && request.events.some(({ type }) => type === 'abort.requested');
      if (root !== '' && isEndOfChild) throw locked();
      return append(request);
    });
    const first = createHarness({ log: failing, model: asks('wait'), tools: [untilStopped('wait')] });
    const live = await first.start({ checks: ['true'], maxIterations: 1 });
    root = live.run;
    await live.observer.untilDelta(({ text }) => text === 'wait');
    await live.abort('enough');
    await expect(live.done).rejects.toThrow('another process keeps it locked');
    expect((await log.runs()).map(({ closed }) => closed)).toEqual([null, null]);

    const second = createHarness({ log, model: asks('wait'), tools: [untilStopped('wait')] });
    const { outcome } = await ended(await second.resume(root));
    expect(outcome).toMatchObject({ ending: 'abort', cause: 'user' });
    expect((await log.runs()).map(({ closed }) => closed)).toEqual(['abort', 'abort']);
    const types = await typesOf(log, root);
    expect(types.filter((type) => type === 'abort.requested')).toHaveLength(1);
    expect(types.filter((type) => type === 'child.settled')).toHaveLength(1);
  });

  test('that strikes the run below while the last fact is being recorded leaves the run ended', async () => {
    const log = memoryLog();
    const clock = fakeClock();
    const { promise: ending, resolve } = Promise.withResolvers<void>();
    let root = '';
    const failing = aroundAppend(log, async (request, append) => {
      const has = (asked: string) => request.events.some(({ type }) => type === asked);
      if (root !== '' && request.run !== root && has('abort.requested')) {
        await ending;
        throw locked();
      }
      if (request.run === root && has('strategy.ended')) {
        resolve();
        await settled();
      }
      return append(request);
    });
    const harness = createHarness({ log: failing, clock, model: asks('wait'), tools: [untilStopped('wait')] });
    const live = await harness.start({ checks: ['true'], maxIterations: 1 });
    root = live.run;
    await live.observer.untilDelta(({ text }) => text === 'wait');
    await live.abort('enough');
    await expect.poll(() => typesOf(log, root)).toContain('abort.requested');
    await settled();
    clock.advance(60_000);
    expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
    expect((await typesOf(log, root)).slice(-1)).toEqual(['strategy.ended']);
  });

  test('that strikes one of its own effects is the interruption of that effect, and no error', async () => {
    const { promise: atWork, resolve } = Promise.withResolvers<void>();
    const verify: Actor<VerifyInput> = {
      effectClass: () => 'repeatable',
      async *execute(_input, call) {
        resolve();
        await stopped(call);
        yield* [];
        throw full();
      },
    };
    const harness = createHarness({ model: { answers: [{ text: 'done' }] }, services: { verify } });
    const live = await harness.start({ checks: ['true'] });
    await atWork;
    await live.abort('enough');
    expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
    const types = await typesOf(harness.log, live.run);
    expect(types.filter((type) => type === 'abort.requested')).toHaveLength(1);
    expect(types).toContain('effect.interrupted');
    expect(types).not.toContain('timer.fired');
  });
});
