import { describe, expect, test } from 'vitest';
import type { EffectClass } from '../../../src/actors/actor.ts';
import { ToolRefusal } from '../../../src/actors/tools/confine.ts';
import type { ToolContext } from '../../../src/actors/tools/tool.ts';
import { it, never } from './lone-tool.ts';
import { calling, completed, containing, failed, interrupted, workspace } from './workspace.ts';

describe('T11 a call that is told to stop', () => {
  type Manner = 'gives up' | 'does not care' | 'replies' | 'refuses';

  const manners: Record<Manner, (signal: AbortSignal) => Promise<unknown>> = {
    'gives up': (signal) => Promise.reject(signal.reason),
    'does not care': never,
    replies: async () => ({ output: 'done' }),
    refuses: () => Promise.reject(new ToolRefusal('quota', 'nothing done')),
  };

  async function stopping(effectClass: EffectClass, manner: Manner, reason: 'abort' | 'pause') {
    const { directory } = await workspace();
    const stop = new AbortController();
    const run = ({ signal }: ToolContext) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => manners[manner](signal).then(resolve, reject));
        stop.abort(reason);
      });
    const tools = it(run, { effectClass, reconcile: async () => null });
    return calling(directory, 'it', {}, { tools, signal: stop.signal, stopGraceMs: 20 });
  }

  test.each<[EffectClass, Manner, 'abort' | 'pause']>([
    ['once', 'gives up', 'abort'],
    ['once', 'gives up', 'pause'],
    ['once', 'does not care', 'abort'],
    ['once', 'does not care', 'pause'],
    ['reconcilable', 'gives up', 'abort'],
    ['reconcilable', 'does not care', 'abort'],
    ['reconcilable', 'does not care', 'pause'],
    ['repeatable', 'gives up', 'abort'],
    ['repeatable', 'does not care', 'abort'],
  ])('is interrupted: %s, it %s, on %s', async (effectClass, manner, reason) =>
    expect(await stopping(effectClass, manner, reason)).toEqual([interrupted(containing(`(${reason})`))]),
  );

  test.each<[EffectClass, Manner]>([
    ['reconcilable', 'gives up'],
    ['repeatable', 'gives up'],
    ['repeatable', 'does not care'],
  ])('says nothing when it is only paused and may be started again: %s, it %s', async (effectClass, manner) =>
    expect(await stopping(effectClass, manner, 'pause')).toEqual([]),
  );

  test.each<EffectClass>(['once', 'reconcilable', 'repeatable'])('keeps what is known: %s', async (effectClass) => {
    expect(await stopping(effectClass, 'replies', 'pause')).toEqual([completed('done')]);
    expect(await stopping(effectClass, 'refuses', 'abort')).toEqual([failed('quota', 'nothing done')]);
  });

  test.each<[EffectClass, 'abort' | 'pause', unknown[]]>([
    ['once', 'abort', [interrupted(containing('it has done nothing'))]],
    ['once', 'pause', [interrupted(containing('it has done nothing'))]],
    ['repeatable', 'abort', [interrupted(containing('it has done nothing'))]],
    ['repeatable', 'pause', []],
  ])('does not begin when it is told before: %s on %s', async (effectClass, reason, events) => {
    const { directory } = await workspace();
    let ran = false;
    const tools = it(async () => ({ output: String((ran = true)) }), { effectClass });
    expect(await calling(directory, 'it', {}, { tools, signal: AbortSignal.abort(reason) })).toEqual(events);
    expect(ran).toBe(false);
  });
});
