import { describe, expect, test } from 'vitest';
import { modelActor } from '../../../src/actors/model/model-actor.ts';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../../src/actors/model/script.ts';
import { type AnyScript, scriptedModel } from '../../../src/actors/model/model-script.ts';
import { fc } from '../../support/fast-check.ts';
import { performed } from '../performed.ts';
import { requestOf } from './request.ts';

const asked = (script: AnyScript, request: Partial<ModelRequest> = {}, signal?: AbortSignal, hear?: () => void) =>
  performed(
    modelActor(scriptedModel(script)),
    { request: requestOf(request), tries: { retried: 0, limited: 0 } },
    signal,
    hear,
  );

async function answered(script: AnyScript, request: Partial<ModelRequest> = {}) {
  const { events } = await asked(script, request);
  return events[0]?.payload;
}

describe('T1 a scripted model answers by the place of the step alone', () => {
  const perAttempt: AnyScript = {
    attempts: [{ answers: [{ text: 'a0' }, { text: 'a1' }] }, { answers: [{ text: 'b0' }] }],
  };

  const repeatCounts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });

  test('T1 its answers come in order, attempt by attempt, whatever was asked before', async () => {
    const model = modelActor(scriptedModel(perAttempt));
    const textAt = async (iteration: number, step: number) =>
      (await performed(model, { request: requestOf({ iteration, step }), tries: { retried: 0, limited: 0 } })).events[0]
        ?.payload;
    expect(await textAt(1, 0)).toMatchObject({ text: 'b0' });
    expect(await textAt(0, 1)).toMatchObject({ text: 'a1' });
    expect(await textAt(0, 0)).toMatchObject({ text: 'a0' });
    expect(await textAt(0, 1)).toMatchObject({ text: 'a1' });
  });

  test('T1 answers without attempts serve every attempt', async () => {
    expect(await answered({ answers: [{ text: 'x' }] }, { iteration: 7 })).toMatchObject({ text: 'x' });
  });

  test('T1 a repeated answer serves as many steps as it says, however long the script', () =>
    fc.assert(
      fc.asyncProperty(repeatCounts, fc.nat(24), async (repeats, step) => {
        const written = repeats.flatMap((repeat, index) => Array<string>(repeat).fill(`answer ${index}`));
        const answers = repeats.map((repeat, index) => ({ text: `answer ${index}`, repeat }));
        const expected = written[step];
        expect(await answered({ answers }, { step })).toMatchObject(
          expected === undefined ? { fault: { code: 'script_exhausted' } } : { text: expected },
        );
      }),
    ));

  test('T1 a script that is over says at which attempt and step', async () => {
    const over = (place: string) => ({
      fault: { code: 'script_exhausted', message: `script has no answer for ${place}.` },
    });
    expect(await answered(perAttempt, { iteration: 1, step: 1 })).toMatchObject(over('attempt 2, step 2'));
    expect(await answered(perAttempt, { iteration: 2 })).toMatchObject(over('attempt 3, step 1'));
  });

  test('T1 calls are passed on, with the id they were given, and no arguments where none were', async () => {
    const calls = [{ id: 'p1', tool: 'read', arguments: { path: 'a' } }, { tool: 'finish' }];
    expect(await answered({ answers: [{ calls }] })).toMatchObject({
      text: '',
      calls: [
        { callId: '0.0', providerId: 'p1', tool: 'read', arguments: { path: 'a' } },
        { callId: '0.1', providerId: null, tool: 'finish', arguments: {} },
      ],
    });
  });

  test('T1 a function answers from the request, at once or later', async () => {
    const script = ({ step }: ModelRequest) => ({ text: `step ${step}` });
    expect(await answered(script, { step: 4 })).toMatchObject({ text: 'step 4' });
    expect(await answered(async (request) => script(request), { step: 5 })).toMatchObject({ text: 'step 5' });
  });

  test('T1 what a function answers is checked', async () => {
    const odd = (() => ({ text: 'x', repeat: 0 })) as AnyScript;
    const message = expect.stringContaining('script: repeat is 0. ');
    expect(await answered(odd)).toMatchObject({ fault: { code: 'bad_answer', message } });
  });
});

describe('T1 a scripted answer can be slow, come in pieces, or fail', () => {
  const chunkSize = fc.integer({ min: 1, max: 5 });
  const piecesOf = async (answer: ScriptedAnswer) => {
    const { deltas } = await asked({ answers: [answer] });
    return deltas.map(({ text }) => text);
  };

  test('T1 a text comes in one piece, an empty one in none', async () => {
    expect(await piecesOf({ text: 'Done.' })).toEqual(['Done.']);
    expect(await piecesOf({ text: '' })).toEqual([]);
    expect(await piecesOf({ text: '', chunkCharacters: 2 })).toEqual([]);
  });

  test('T1 or in pieces that add up to it, none of which splits a character', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), chunkSize, async (text, chunkCharacters) => {
        const pieces = await piecesOf({ text, chunkCharacters });
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
        expect(pieces.slice(0, -1).every((piece) => Array.from(piece).length === chunkCharacters)).toBe(true);
        expect(Array.from(pieces.at(-1) ?? '').length).toBeLessThanOrEqual(chunkCharacters);
      }),
    ));

  test('T11 the error comes after the text, with what it has cost', async () => {
    const error = { code: 'overloaded', message: 'Later.' };
    const { events, deltas } = await asked({ answers: [{ text: 'Half an', error }] });
    expect(deltas).toEqual([{ kind: 'text', text: 'Half an' }]);
    const usage = { inputTokens: expect.any(Number), outputTokens: 2 };
    expect(events).toEqual([{ type: 'model.failed', payload: { fault: error, usage } }]);
  });

  test('T11 told to stop between two pieces, it stops there and says what it has used', async () => {
    const told = new AbortController();
    const answers = [{ text: 'Half an answer', chunkCharacters: 4, delayMs: 1 }];
    const { events } = await asked({ answers }, {}, told.signal, () => told.abort('pause'));
    expect(events).toMatchObject([
      { type: 'model.interrupted', payload: { reason: 'pause', text: 'Half', usage: { outputTokens: 1 } } },
    ]);
  });

  test('T11 told to stop while it waits, it does not wait to the end', async () => {
    const told = new AbortController();
    const usage = { inputTokens: 6, outputTokens: 0 };
    const answers = [{ chunkCharacters: 4, delayMs: 3_600_000, usage }];
    const answering = asked({ answers }, {}, told.signal);
    setImmediate(() => told.abort('abort'));
    expect((await answering).events).toEqual([
      { type: 'model.interrupted', payload: { reason: 'abort', text: '', usage } },
    ]);
  });

  test('T1 each piece waits for its delay', async () => {
    const startedAt = performance.now();
    await asked({ answers: [{ text: 'abcd', chunkCharacters: 1, delayMs: 5 }] });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(4 * 4);
  });
});

describe('T6 a scripted answer costs what the script says, or four characters a token', () => {
  test('T6 what the script says', async () => {
    const usage = { inputTokens: 1_000, outputTokens: 1 };
    expect(await answered({ answers: [{ text: 'x', usage }] })).toMatchObject({ usage });
  });

  test('T6 else the prompt, the messages and the tools on one side, the text and the calls on the other', async () => {
    const read = { callId: '0.0', providerId: null, tool: 'read', arguments: { a: 1 } };
    const tool = { name: 'n', description: 'd', inputSchema: {} };
    const request: Partial<ModelRequest> = {
      system: '12345678',
      messages: [
        { role: 'user', text: '1234' },
        { role: 'assistant', text: '12345678', calls: [read] },
        { role: 'tool', callId: '0.0', tool: 'read', output: '123456789', failed: false },
      ],
      tools: [tool],
    };
    const answers = [{ text: '12345', calls: [{ tool: 'read', arguments: { a: 1 } }] }];
    const input = 8 + 4 + (8 + 'read{"a":1}'.length) + 9 + JSON.stringify(tool).length;
    const output = 5 + 'read{"a":1}'.length;
    expect(await answered({ answers }, request)).toMatchObject({
      usage: { inputTokens: Math.ceil(input / 4), outputTokens: Math.ceil(output / 4) },
    });
  });
});
