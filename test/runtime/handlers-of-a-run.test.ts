import { describe, expect, test } from 'vitest';
import type { AnyScript } from '../../src/actors/model/model-script.ts';
import type { EffectHandlers } from '../../src/kernel/effect-handlers.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { heldTools, settled, untilStopped } from '../support/stand-ins.ts';
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

describe('what people have to mend before a run goes on', () => {
  const again = { answers: [{ calls: [{ tool: 'slow' }] }] };

  /** A run, or a loop with an attempt, that was paused at work and is resumed under these handlers. */
  async function resumedUnder(
    hindrance: NonNullable<EffectHandlers['hindrance']>,
    loop: 'turn' | 'iteration' = 'turn',
  ) {
    let isHindered = false;
    const harness = having({ hindrance: (context) => (isHindered ? hindrance(context) : null) }, again);
    const live = await harness.start({ loop, ...(loop === 'iteration' && { checks: ['true'] }) });
    await live.observer.untilDelta(({ text }) => text === 'slow');
    await live.pause('user');
    await live.done;
    const { length } = await history(harness.log, live.run);
    isHindered = true;
    const resumed = await harness.resume(live.run);
    const since = async () => (await history(harness.log, live.run)).slice(length).map(({ type }) => type);
    return { ...resumed, since };
  }

  test('is recorded, and the run pauses again before anything of it starts', async () => {
    const { done, observer, since } = await resumedUnder(() => noticed);
    expect(await done).toEqual({ kind: 'paused' });
    await settled();
    expect(await since()).toEqual(['run.resumed', 'warning.raised', 'run.paused']);
    expect(observer.of('run.paused').map(({ payload }) => payload)).toEqual([{ by: 'waiting' }]);
  });

  test.each(['repeatable', 'once'] as const)(
    'keeps a call that is %s, and that the pause could not stop, from all that a resumption does with it',
    async (effectClass) => {
      const { tools, free } = heldTools(effectClass);
      let isHindered = false;
      const harness = createHarness({
        services: { tools },
        model: { answers: [{ calls: [{ tool: 'finish' }] }] },
        aroundHandlers: (make) => (run, settings, loop) => ({
          ...make(run, settings, loop),
          hindrance: () => (isHindered ? noticed : null),
        }),
      });
      const live = await harness.start({ graceMs: 0 });
      await live.observer.untilDelta(({ text }) => text === 'at work');
      await live.pause('user');
      await live.done;
      isHindered = true;
      const { done, observer } = await harness.resume(live.run);
      await done;
      expect(observer.facts.map(({ type }) => type)).toEqual(['run.resumed', 'warning.raised', 'run.paused']);
      expect(observer.deltas).toEqual([]);
      free();
    },
  );

  test('is asked of the run at the top alone', async () => {
    const asked: string[] = [];
    const { run, observer, abort, done } = await resumedUnder(
      (context) => (asked.push(context.run), null),
      'iteration',
    );
    await observer.untilDelta(({ text }) => text === 'slow');
    expect(asked).toEqual([run]);
    await abort();
    await done;
  });
});
