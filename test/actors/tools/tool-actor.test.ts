import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EffectClass } from '../../../src/actors/actor.ts';
import { LoopEvent } from '../../../machines/events.ts';
import { builtinTools } from '../../../src/actors/tools/builtin.ts';
import { defineTool } from '../../../src/actors/tools/define-tool.ts';
import { FLOOD_BYTES, MAX_OUTPUT_BYTES } from '../../../src/actors/tools/limits.ts';
import { ToolRefusal } from '../../../src/actors/tools/refusal.ts';
import type { Tool, ToolContext, ToolReply } from '../../../src/actors/tools/tool.ts';
import { toolActor } from '../../../src/actors/tools/tool-actor.ts';
import { calling, completed, failed, interrupted, reconciling, workspace } from './workspace.ts';

const containing = (text: string) => expect.stringContaining(text);
const never = () => new Promise<never>(() => {});

/** One tool, named `it`, that does this. */
function it(run: (context: ToolContext) => Promise<unknown>, more: Partial<Tool> = {}): readonly Tool[] {
  const tool = { name: 'it', description: '', input: z.strictObject({}), ...more };
  return [{ ...tool, run: (_, context) => run(context) as Promise<ToolReply> }];
}

describe('a call that works', () => {
  test('yields its output once, and tells the tool who and where it is', async () => {
    const { directory } = await workspace();
    const tools = it(async ({ callId, effect, directory: place }) => ({ output: [callId, effect, place].join(' ') }));
    const events = await calling(directory, 'it', {}, { tools });
    expect(events).toEqual([completed(`0.0 run/3/0 ${directory}`)]);
    for (const event of events) expect(LoopEvent.parse(event)).toEqual(event);
  });

  test('T10 finish declares the run finished with its answer', async () => {
    const { directory } = await workspace();
    expect(await calling(directory, 'finish', { answer: 'all green' })).toEqual([completed('finished', 'all green')]);
  });

  test('arguments may come as text', async () => {
    const { directory } = await workspace();
    expect(await calling(directory, 'finish', '{"answer":"yes"}')).toEqual([completed('finished', 'yes')]);
  });

  test('hands on what it shows meanwhile, and nothing after its result', async () => {
    const { directory } = await workspace();
    const shown: unknown[] = [];
    let late: ToolContext['delta'] | undefined;
    const tools = it(async ({ delta }) => {
      delta('early');
      late = delta;
      return { output: '' };
    });
    await calling(directory, 'it', {}, { tools, delta: (delta) => shown.push(delta) });
    late?.('late');
    expect(shown).toEqual([{ kind: 'output', text: 'early' }]);
  });

  test('leaves no clock running that would keep the process alive', () => {
    const sources = join(import.meta.dirname, '../../../src/actors/tools');
    const host = `
      const { toolActor } = await import(${JSON.stringify(join(sources, 'tool-actor.ts'))});
      const { finish } = await import(${JSON.stringify(join(sources, 'finish.ts'))});
      const call = { id: 'run/3/0', attempt: 1, signal: new AbortController().signal, delta: () => {} };
      const input = { callId: '0.0', tool: 'finish', arguments: { answer: 'done' }, directory: '/' };
      for await (const { type } of toolActor([finish]).perform(input, call)) console.log(type);`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', host], { timeout: 20_000 });
    expect([stdout.toString(), status]).toEqual(['tool.completed\n', 0]);
  });

  test('long output and a long answer are cut in the middle', async () => {
    const { directory } = await workspace();
    const long = 'ä'.repeat(MAX_OUTPUT_BYTES);
    const [event] = await calling(directory, 'it', {}, { tools: it(async () => ({ output: long, answer: long })) });
    if (event?.type !== 'tool.completed') throw new Error('it failed');
    for (const text of [event.payload.output, event.payload.answer ?? '']) {
      expect(text).toMatch(/^ä+\n\[… \d+ bytes left out …\]\nä+$/);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
    }
  });
});

describe('a call that cannot be made is a failed call that says why', () => {
  test.each([
    ['delete', {}, 'tool_unknown', 'there is no tool "delete"; there are: read, list, edit, write, shell, finish'],
    ['read', 'not json', 'arguments_invalid', 'read: expected a JSON object, got text that is no JSON: "not json"'],
    ['read', {}, 'arguments_invalid', 'read: path: Invalid input: expected string, received undefined, got nothing'],
    ['read', { path: 7 }, 'arguments_invalid', 'path: Invalid input: expected string, received number, got 7'],
    ['read', { path: 'a', lines: 3 }, 'arguments_invalid', 'Unrecognized key: "lines", got {"path":"a","lines":3}'],
    ['read', [], 'arguments_invalid', 'expected object, received array, got []'],
    ['read', null, 'arguments_invalid', 'expected object, received null, got null'],
    ['shell', { command: 'true', timeoutSeconds: 9999 }, 'arguments_invalid', 'expected number to be <=600, got 9999'],
    ['read', { path: ['x'.repeat(500)] }, 'arguments_invalid', `got ["${'x'.repeat(78)}…`],
  ])('%s %j', async (tool, args, code, message) => {
    const { directory } = await workspace();
    expect(await calling(directory, tool, args)).toEqual([failed(code, containing(message))]);
  });

  test('a schema that throws', async () => {
    const { directory } = await workspace();
    const input = z.object({}).transform(() => {
      throw new Error('schema broke');
    });
    const tools = it(async () => ({ output: '' }), { input });
    const events = await calling(directory, 'it', {}, { tools });
    expect(events).toEqual([failed('arguments_invalid', containing('schema broke'))]);
  });

  test('no tools at all', async () => {
    const events = await calling('/', 'it', {}, { tools: [] });
    expect(events).toEqual([failed('tool_unknown', 'there is no tool "it"; there are none')]);
  });

  test('no workspace', async () => {
    const events = await calling('/nowhere/at/all', 'read', { path: 'a' });
    expect(events).toEqual([failed('workspace_missing', containing('/nowhere/at/all'))]);
  });
});

describe('a tool that misbehaves is a failed call', () => {
  test.each<[string, () => Promise<unknown>, string, string]>([
    ['throws', () => Promise.reject(new Error('disk full')), 'tool_threw', 'disk full'],
    ['throws at once', () => { throw new Error('at once'); }, 'tool_threw', 'at once'],
    ['throws no error', () => Promise.reject(Object.create(null)), 'tool_threw', '{}'],
    ['throws nothing', () => Promise.reject(undefined), 'tool_threw', 'undefined'],
    ['throws without a word', () => Promise.reject(new Error()), 'tool_threw', 'Error'],
    ['refuses', () => Promise.reject(new ToolRefusal('quota', 'come back later')), 'quota', 'come back later'],
    ['replies nothing', async () => undefined, 'tool_reply_invalid', 'got undefined'],
    ['replies text alone', async () => 'text', 'tool_reply_invalid', "output: string, answer?: string }, got 'text'"],
    ['replies no text', async () => ({ output: 7 }), 'tool_reply_invalid', 'got { output: 7 }'],
    ['answers no text', async () => ({ output: '', answer: 7 }), 'tool_reply_invalid', 'answer: 7'],
    ['floods', async () => ({ output: 'x'.repeat(FLOOD_BYTES + 1) }), 'tool_flooded', `${FLOOD_BYTES + 1} bytes`],
  ])('it %s', async (_, run, code, message) => {
    const { directory } = await workspace();
    expect(await calling(directory, 'it', {}, { tools: it(run) })).toEqual([failed(code, containing(message))]);
  });

  test('it throws a flood', async () => {
    const { directory } = await workspace();
    const tools = it(() => Promise.reject(new Error('x'.repeat(1_000_000))));
    const [event] = await calling(directory, 'it', {}, { tools });
    if (event?.type !== 'tool.failed') throw new Error('it did not fail');
    expect(Buffer.byteLength(event.payload.fault.message)).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
  });

  test('it takes too long, and is told so', async () => {
    const { directory } = await workspace();
    const untilStopped = ({ signal }: ToolContext) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const tools = it(untilStopped, { timeoutMs: 20 });
    expect(await calling(directory, 'it', {}, { tools })).toEqual([
      failed('tool_timed_out', 'the tool did not answer in time: no result within 20 ms'),
    ]);
  });

  test('it takes too long and does not care', async () => {
    const { directory } = await workspace();
    const events = await calling(directory, 'it', {}, { tools: it(never, { timeoutMs: 20 }), stopGraceMs: 20 });
    expect(events).toEqual([failed('tool_timed_out', containing('may still be running'))]);
  });

  test('unless it has a reply after all', async () => {
    const { directory } = await workspace();
    const untilStopped = ({ signal }: ToolContext) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ output: 'partly' })));
    const tools = it(untilStopped, { timeoutMs: 20 });
    expect(await calling(directory, 'it', {}, { tools })).toEqual([completed('partly')]);
  });

  test('time without end is time enough', async () => {
    const { directory } = await workspace();
    const soon = ({ signal }: ToolContext) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        setTimeout(resolve, 50, { output: 'done' });
      });
    const tools = it(soon, { timeoutMs: Infinity });
    expect(await calling(directory, 'it', {}, { tools })).toEqual([completed('done')]);
  });
});

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
    expect(await stopping(effectClass, manner, reason)).toEqual([interrupted(containing(`(${reason})`))]));

  test.each<[EffectClass, Manner]>([
    ['reconcilable', 'gives up'],
    ['repeatable', 'gives up'],
    ['repeatable', 'does not care'],
  ])('says nothing when it is only paused and may be started again: %s, it %s', async (effectClass, manner) =>
    expect(await stopping(effectClass, manner, 'pause')).toEqual([]));

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

describe('after a crash', () => {
  const classOf = (tools: readonly Tool[], tool: string) =>
    toolActor(tools).effectClass({ callId: '0.0', tool, arguments: {}, directory: '/' });

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
    const notSaid = interrupted(containing('nobody said'));
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

test('two tools of one name are a mistake in the program', () => {
  const another = defineTool({ name: 'read', description: '', input: z.object({}), run: never });
  expect(() => toolActor([...builtinTools(), another])).toThrow('tool name "read": two tools have it');
});
