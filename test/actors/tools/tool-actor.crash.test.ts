import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { builtinTools } from '../../../src/actors/tools/builtin.ts';
import type { Tool } from '../../../src/actors/tools/tool.ts';
import { toolActor } from '../../../src/actors/tools/tool-actor.ts';
import { it, never } from './lone-tool.ts';
import { calling, completed, containing, failed, interrupted, reconciling, workspace } from './workspace.ts';

describe('after a crash', () => {
  const classOf = (tools: readonly Tool[], tool: string) =>
    toolActor(tools).effectClass({ callId: '0.0', tool, arguments: {}, directory: '/', environment: [], readable: [] });

  test.each([
    ['read', 'repeatable'],
    ['list', 'repeatable'],
    ['finish', 'repeatable'],
    ['edit', 'reconcilable'],
    ['write', 'reconcilable'],
    ['shell', 'once'],
    ['unknown', 'once'],
  ])('%s is %s', (tool, effectClass) => expect(classOf(builtinTools(), tool)).toBe(effectClass));

  test('what declares nothing, or cannot be asked, is once', () => {
    expect(classOf(it(never), 'it')).toBe('once');
    expect(classOf(it(never, { effectClass: 'reconcilable' }), 'it')).toBe('once');
  });

  const asked = async (reconcile: Tool['reconcile'], more: object = {}) => {
    const { directory } = await workspace();
    const tools = it(never, { effectClass: 'reconcilable', ...(reconcile && { reconcile }), timeoutMs: 20 });
    return reconciling(directory, 'it', {}, { tools, stopGraceMs: 20, ...more });
  };

  test('a tool that can be asked is believed', async () => {
    expect(await asked(async () => ({ output: 'done' }))).toEqual(completed('done'));
    expect(await asked(async () => null)).toBeNull();
  });

  test('a tool may be an object that knows itself', async () => {
    class Counter {
      readonly name = 'it';
      readonly description = '';
      readonly input = z.strictObject({});
      readonly effectClass = 'reconcilable';
      readonly #done = 'done';
      async run() {
        return { output: this.#done };
      }
      async reconcile() {
        return { output: this.#done };
      }
    }
    const { directory } = await workspace();
    const tools = [new Counter()];
    expect(await calling(directory, 'it', {}, { tools })).toEqual([completed('done')]);
    expect(await reconciling(directory, 'it', {}, { tools })).toEqual(completed('done'));
  });

  test('one that cannot tell is a failed call, not a second one', async () => {
    const unknown = (text: string) => failed('state_unknown', containing(text));
    expect(await asked(() => Promise.reject(new Error('no network')))).toEqual(unknown('no network'));
    expect(await asked(never)).toEqual(unknown('look before you repeat it'));
    expect(await asked(async () => ({ output: 7 }) as never)).toEqual(failed('tool_reply_invalid', containing('got')));
    expect(await asked(async () => undefined as never)).toEqual(failed('tool_reply_invalid', containing('undefined')));
  });

  test('nor is one that is not asked, or told to stop meanwhile', async () => {
    const stop = new AbortController();
    const notSaid = interrupted(containing('it is unknown whether it happened'));
    expect(await asked(undefined)).toEqual(notSaid);
    expect(await asked(async () => null, { signal: AbortSignal.abort('abort') })).toEqual(notSaid);
    const stopped = asked(() => new Promise(() => stop.abort('abort')), { signal: stop.signal });
    expect(await stopped).toEqual(interrupted(containing('stopped while asking')));
  });

  test('a call that cannot be made has not happened', async () => {
    const { directory } = await workspace();
    expect(await reconciling(directory, 'edit', 'not json')).toBeNull();
    expect(await reconciling(directory, 'unknown', {})).toBeNull();
    expect(await reconciling(directory, 'write', { path: '../a', content: '' })).toBeNull();
  });
});
