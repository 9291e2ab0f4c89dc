import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LoopEvent } from '../../../machines/events.ts';
import { builtinTools } from '../../../src/actors/tools/builtin.ts';
import { defineTool, MAX_OUTPUT_BYTES, type ToolContext } from '../../../src/actors/tools/tool.ts';
import { toolActor } from '../../../src/actors/tools/tool-actor.ts';
import { it, never } from './lone-tool.ts';
import { calling, completed, workspace } from './workspace.ts';

describe('a call that works', () => {
  test('yields its output once, and tells the tool who and where it is', async () => {
    const { directory } = await workspace();
    const tools = it(async ({ callId, effect, directory: place }) => ({ output: [callId, effect, place].join(' ') }));
    const events = await calling(directory, 'it', {}, { tools });
    expect(events).toEqual([completed(`0.0 run/3/0 ${directory}`)]);
    for (const event of events) expect(LoopEvent.parse(event)).toEqual(event);
  });

  test('B8 its output is recorded without escape codes, unless the tool reads', async () => {
    const { directory } = await workspace();
    const red = async () => ({ output: '\u001B[31mred\u001B[0m\r\n' });
    expect(await calling(directory, 'it', {}, { tools: it(red) })).toEqual([completed('red\n')]);
    const reading = it(red, { traits: { reads: true } });
    expect(await calling(directory, 'it', {}, { tools: reading })).toEqual([completed('\u001B[31mred\u001B[0m\r\n')]);
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
      for await (const { type } of toolActor([finish]).execute(input, call)) console.log(type);`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', host], { timeout: 120_000 });
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

test('two tools of one name are a mistake in the program', () => {
  const another = defineTool({ name: 'read', description: '', input: z.object({}), run: never });
  expect(() => toolActor([...builtinTools(), another])).toThrow('tool name "read": two tools have it');
});
