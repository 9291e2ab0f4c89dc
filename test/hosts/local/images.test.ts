import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { MAX_IMAGES_BYTES } from '../../../src/actors/model/image-file.ts';
import type { Message, Model } from '../../../src/actors/model/model.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { environmentOn } from '../../support/model-server/on-each-wire.ts';
import { modelServer } from '../../support/model-server/server.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const image = { name: 'a.png', mediaType: 'image/png', bytes: PNG.length, data: PNG.toString('base64') };

async function runOf(options: Partial<RunOptions>, loopsOptions: Partial<LoopsOptions>) {
  const { root: directory } = await repository({ 'a.png': PNG });
  const loops = new Loops({ log: memoryLog(), ...loopsOptions });
  const run = await loops.start({ prompt: 'What is it?', images: [join(directory, 'a.png')], directory, ...options });
  const end = await run.done;
  const events = (await lastValueFrom(loops.events(run.run).pipe(toArray()))) as unknown as LoopEvent[];
  return { end, events, loops };
}

/** A model that notes the conversations it is given. */
function noting() {
  const asked: (readonly Message[])[] = [];
  const model: Model = { name: 'own', answer: async ({ messages }) => (asked.push(messages), { text: 'A lamp.' }) };
  return { asked, model };
}

describe('G8 an image in a prompt', () => {
  test('G8 is recorded with its digest, given to the model, and counted', async () => {
    const { asked, model } = noting();
    const { end, events } = await runOf({ loop: 'turn', tools: [] }, { model });
    const [started] = events;
    if (started?.type !== 'run.started') throw new Error('a run begins with its settings');
    expect(started.payload.settings.images).toEqual([{ ...image, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(asked[0]).toMatchObject([{ role: 'user', text: 'What is it?', images: [image] }]);
    expect(end).toMatchObject({ answer: 'A lamp.', spend: { inputTokens: 1_603 } });
  });

  testInTurn('G8 is kept once for all attempts, and given to each', async () => {
    const { asked, model } = noting();
    const { loops, end } = await runOf({ maxIterations: 2, checks: ['false'], checkIn: 'workspace' }, { model });
    expect(end).toMatchObject({ kind: 'ended' });
    expect(asked.map(([first]) => first)).toMatchObject([{ images: [image] }, { images: [image] }]);
    const all = await Promise.all(
      (await loops.log.runs()).map(({ run }) => lastValueFrom(loops.events(run).pipe(toArray()))),
    );
    const text = JSON.stringify(all);
    expect(text.split(image.data)).toHaveLength(2);
  });

  test('G8 is not shown to delegated work, which has a prompt of its own', async () => {
    const asked: (readonly Message[])[] = [];
    const delegate = { tool: 'delegate', arguments: { task: 'Help.' } };
    const answer: Model['answer'] = async ({ messages }) => {
      asked.push(messages);
      return { text: 'Yes.', calls: asked.length === 1 ? [delegate] : [] };
    };
    await runOf({ loop: 'turn', tools: ['delegate'] }, { model: { name: 'own', answer } });
    expect(asked[1]).toEqual([{ role: 'user', text: 'Help.' }]);
    expect(asked[2]?.[0]).toMatchObject({ images: [image] });
  });

  test.each([
    ['openai/gpt-5', `data:image/png;base64,${image.data}`],
    ['openai-chat/gpt-5', `data:image/png;base64,${image.data}`],
    ['anthropic/claude-sonnet-4-5', `"media_type":"image/png","data":"${image.data}"`],
    ['google/gemini-2.5-flash', `{"mimeType":"image/png","data":"${image.data}"}`],
  ])('G8 reaches the API of %s', async (model, sent) => {
    const server = await modelServer({ answers: [{ text: 'A lamp.' }] });
    onTestFinished(server.close);
    const { end } = await runOf({ loop: 'turn', model }, { environment: environmentOn(server.url) });
    expect(end).toMatchObject({ answer: 'A lamp.' });
    expect(JSON.stringify(server.requests[0]?.body)).toContain(sent);
  });

  test('G8 that the model does not take ends in one line with the remedy', async () => {
    const body = { error: { message: 'Invalid content type. image_url is only supported by certain models.' } };
    const server = await modelServer({ answers: [{ text: '-' }], faults: [{ request: 0, status: 400, body }] });
    onTestFinished(server.close);
    const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.url };
    const { end } = await runOf({ loop: 'turn', model: 'openai-chat/gpt-3.5-turbo' }, { environment });
    expect(end).toMatchObject({
      outcome: {
        fault: {
          code: 'bad_request',
          message:
            'openai-chat/gpt-3.5-turbo: 400: Invalid content type. image_url is only supported by certain models. The ' +
            'model does not take such images: leave --image out, or name a model that does with -m',
        },
      },
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe('G8 what is no image is refused before anything is written', () => {
  test.each([
    [['nowhere.png'], 'images[0]', 'a PNG, JPEG, GIF or WebP image that can be read (ENOENT)'],
    [[import.meta.filename], 'images[0]', 'a file whose content is a PNG, JPEG, GIF or WebP image'],
    [[image, { data: 'aGVsbG8=' }].map(({ data }) => ({ data })), 'images[1]', 'the content of a PNG'],
    [[{ data: Buffer.concat([PNG, Buffer.alloc(MAX_IMAGES_BYTES)]).toString('base64') }], 'images', 'at most 4194304'],
    [[{ data: '***' }], 'images[0].data', 'the path of an image, or { data, name } with its content in base64'],
  ])('G8 %#', async (images, field, expected) => {
    const { model, asked } = noting();
    const log = memoryLog();
    const starting = new Loops({ log, model }).start({ prompt: 'Look.', loop: 'turn', images });
    await expect(starting).rejects.toMatchObject({ faults: [{ field, expected: expect.stringContaining(expected) }] });
    expect(await log.runs()).toEqual([]);
    expect(asked).toEqual([]);
  });
});
