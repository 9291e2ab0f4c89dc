import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FLOOD_BYTES, MAX_OUTPUT_BYTES, type ToolContext } from '../../../src/actors/tools/tool.ts';
import { ToolRefusal } from '../../../src/actors/tools/confine.ts';
import { absent } from '../../support/absent.ts';
import { it, never } from './lone-tool.ts';
import { calling, completed, containing, failed, workspace } from './workspace.ts';

describe('a call that cannot be made is a failed call that says why', () => {
  test.each([
    [
      'delete',
      {},
      'tool_unknown',
      'there is no tool "delete"; use one of: read, list, glob, grep, edit, multi_edit, write, shell, finish',
    ],
    ['write', '{"path":"a","content":"hal', 'arguments_invalid', 'It stops in the middle'],
    ['read', 'not json', 'arguments_invalid', 'read: expected a JSON object, got text that is no JSON: "not json"'],
    ['read', {}, 'arguments_invalid', 'read: path: Invalid input: expected string, got nothing'],
    ['read', { path: 7 }, 'arguments_invalid', 'path: Invalid input: expected string, got 7'],
    ['read', { path: 'a', lines: 3 }, 'arguments_invalid', 'Unrecognized key: "lines", got {"path":"a","lines":3}'],
    ['read', [], 'arguments_invalid', 'expected object, got []'],
    ['read', null, 'arguments_invalid', 'expected object, got null'],
    ['shell', { command: 'true', timeoutSeconds: 9999 }, 'arguments_invalid', 'expected number to be <=600, got 9999'],
    ['read', { path: ['x'.repeat(500)] }, 'arguments_invalid', `got ["${'x'.repeat(77)}…`],
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
    expect(events).toEqual([failed('tool_unknown', 'there is no tool "it"; this run has no tools')]);
  });

  test('no workspace', async () => {
    const gone = absent('at all');
    const events = await calling(gone, 'read', { path: 'a' });
    expect(events).toEqual([failed('workspace_missing', containing(gone))]);
  });
});

describe('a tool that misbehaves is a failed call', () => {
  test.each<[string, () => Promise<unknown>, string, string]>([
    ['throws', () => Promise.reject(new Error('disk full')), 'tool_threw', 'disk full'],
    [
      'throws at once',
      () => {
        throw new Error('at once');
      },
      'tool_threw',
      'at once',
    ],
    ['throws no error', () => Promise.reject(Object.create(null)), 'tool_threw', '{}'],
    ['throws nothing', () => Promise.reject(undefined), 'tool_threw', 'undefined'],
    ['throws without a word', () => Promise.reject(new Error()), 'tool_threw', 'Error'],
    ['refuses', () => Promise.reject(new ToolRefusal('quota', 'come back later')), 'quota', 'come back later'],
    ['replies nothing', async () => undefined, 'tool_reply_invalid', 'got undefined'],
    ['replies text alone', async () => 'text', 'tool_reply_invalid', "integer or null } }, got 'text'"],
    ['replies no text', async () => ({ output: 7 }), 'tool_reply_invalid', 'got { output: 7 }'],
    ['answers no text', async () => ({ output: '', answer: 7 }), 'tool_reply_invalid', 'answer: 7'],
    ['floods', async () => ({ output: 'x'.repeat(FLOOD_BYTES + 1) }), 'tool_flooded', `${FLOOD_BYTES + 1} bytes`],
  ])('it %s', async (_, run, code, message) => {
    const { directory } = await workspace();
    expect(await calling(directory, 'it', {}, { tools: it(run) })).toEqual([failed(code, containing(message))]);
  });

  test.each<[string, unknown]>([
    ['negative', { wallMs: 10, cpuMs: -1 }],
    ['not whole', { wallMs: 0.5, cpuMs: 0 }],
    ['without end', { wallMs: Infinity, cpuMs: 0 }],
    ['not a number', { wallMs: NaN, cpuMs: null }],
    ['text', { wallMs: '10', cpuMs: 0 }],
    ['only half there', { wallMs: 10 }],
    ['more than it may be', { wallMs: 10, cpuMs: 0, gpuMs: 0 }],
    ['nothing', null],
  ])('D17 it replies with a time that is %s', async (_, took) => {
    const { directory } = await workspace();
    const [event] = await calling(directory, 'it', {}, { tools: it(async () => ({ output: '', took })) });
    expect(event).toEqual(failed('tool_reply_invalid', containing('took?: { wallMs: integer, cpuMs')));
  });

  test('D17 unless the time that it replies with is one, or none', async () => {
    const { directory } = await workspace();
    const replying = (took: unknown) => calling(directory, 'it', {}, { tools: it(async () => ({ output: '', took })) });
    const took = { wallMs: 10, cpuMs: null };
    const { payload, ...rest } = completed('');
    expect(await replying(took)).toEqual([{ ...rest, payload: { ...payload, took } }]);
    expect(await replying(undefined)).toStrictEqual([completed('')]);
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
