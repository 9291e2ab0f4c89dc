import { describe, expect, test } from 'vitest';
import type { AnyScript } from '../../src/actors/model/scripted-model.ts';
import type { EffectHandlers } from '../../src/kernel/effect-handlers.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { settled, untilStopped } from '../support/stand-ins.ts';
import { byTask, delegateCall, delegating, firstly } from '../support/delegation.ts';

const slow = untilStopped('slow', () => Promise.reject(new Error('cut')));
const noticed = { type: 'warning.raised', payload: { code: 'left_behind', message: 'look at it' } } as const;

/** A harness whose runs have these handlers beside those of the host. */
const having = (more: Partial<EffectHandlers>, model: AnyScript) =>
  createHarness({
    tools: [slow],
    model,
    aroundHandlers: (make) => (run, settings, loop) => ({ ...make(run, settings, loop), ...more }),
  });

describe('what people should know before only they are at work', () => {
  const slowly = { answers: [{ calls: [{ tool: 'slow' }] }] };

  test('is recorded before a pause', async () => {
    const harness = having({ notice: () => noticed }, slowly);
    const live = await harness.start();
    await live.observer.untilDelta(({ text }) => text === 'slow');
    await live.pause('user');
    await live.done;
    const types = (await history(harness.log, live.run)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['warning.raised', 'run.paused']);
  });

  test('is nothing where there is nothing', async () => {
    const harness = having({ notice: () => null }, slowly);
    const live = await harness.start();
    await live.observer.untilDelta(({ text }) => text === 'slow');
    await live.pause('user');
    await live.done;
    expect((await history(harness.log, live.run)).map(({ type }) => type)).not.toContain('warning.raised');
  });

  test('is recorded before a parent waits for the person that its child has asked', async () => {
    const model = byTask({
      'Do it.': firstly({ calls: [delegateCall('asks')] }),
      asks: firstly({ calls: [{ tool: 'ask_user', arguments: { question: 'Which?' } }] }),
    });
    const harness = having({ notice: ({ settings }) => (settings.parent ? null : noticed) }, model);
    const live = await harness.start(delegating);
    await live.observer.until('child.asked');
    const types = (await history(harness.log, live.run)).map(({ type }) => type);
    expect(types.slice(types.indexOf('child.asked') - 1)).toEqual(['warning.raised', 'child.asked']);
    await live.abort();
    await live.done;
  });
});

describe('what was kept for a run', () => {
  const done = { answers: [{ text: 'done' }] };

  test('is released when it has left, and its end is told after that', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const told: string[] = [];
    const harness = having({ release: () => promise.then(() => void told.push('released')) }, done);
    const live = await harness.start();
    const end = ended(live).then(({ outcome }) => told.push(outcome.ending));
    await live.observer.until('summary.written');
    await settled();
    expect(told).toEqual([]);
    resolve();
    await end;
    expect(told).toEqual(['released', 'success']);
  });

  test('changes no ending where it cannot be released', async () => {
    const harness = having({ release: () => Promise.reject(new Error('it is stuck')) }, done);
    expect((await harness.play()).outcome.ending).toBe('success');
  });
});
