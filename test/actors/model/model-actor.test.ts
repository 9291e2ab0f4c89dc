import { describe, expect, test } from 'vitest';
import type { Usage } from '../../../machines/events.ts';
import {
  MAX_ANSWER_CHARACTERS,
  MAX_ARGUMENT_CHARACTERS,
  MAX_ARGUMENT_DEPTH,
  MAX_CALLS_PER_ANSWER,
} from '../../../src/actors/model/model-answer.ts';
import { modelActor } from '../../../src/actors/model/model-actor.ts';
import { type ModelCall, ModelError } from '../../../src/actors/model/model.ts';
import { fc } from '../../support/fast-check.ts';
import { type Answering, asked, eventsOf, failedWith, guessed, modelThat, never, NO_USAGE } from './answering.ts';
import { requestOf } from './request.ts';

const unusable = (place: string, usage: Usage = guessed()) =>
  failedWith('bad_answer', expect.stringContaining(`The model's answer cannot be used: ${place}: `), usage);

describe('T1 an answer is one fact', () => {
  test('T1 text, calls and usage; call ids are ours, the provider keeps its own', async () => {
    const calls = [
      { id: 'x', tool: 'read', arguments: { path: 'a' } },
      { tool: 'read', arguments: { path: 'b' } },
    ];
    const usage = { inputTokens: 5, outputTokens: 7 };
    expect(await eventsOf(() => ({ text: 'Reading.', calls, usage }), requestOf({ step: 3 }))).toEqual([
      {
        type: 'model.completed',
        payload: {
          text: 'Reading.',
          calls: [
            { callId: '3.0', providerId: 'x', tool: 'read', arguments: { path: 'a' } },
            { callId: '3.1', providerId: null, tool: 'read', arguments: { path: 'b' } },
          ],
          usage,
        },
      },
    ]);
  });

  test('T1 a text is enough for an answer', async () => {
    expect(await eventsOf(() => ({ text: 'Done.' }))).toEqual([
      { type: 'model.completed', payload: { text: 'Done.', calls: [], usage: guessed(5) } },
    ]);
  });

  test('T1 the pieces of a text pass through in order', async () => {
    const { deltas } = await asked((_, { delta }) => {
      delta('Do');
      delta('ne.');
      return { text: 'Done.' };
    });
    expect(deltas).toEqual([
      { kind: 'text', text: 'Do' },
      { kind: 'text', text: 'ne.' },
    ]);
  });

  test('T1 half a character is replaced, as the log can keep none', async () => {
    const calls = [{ id: '\uDC00', tool: '\uD83D', arguments: {} }];
    const [event] = await eventsOf(() => ({ text: 'a\uD83D', calls }));
    expect(event?.payload).toMatchObject({ text: 'a\uFFFD', calls: [{ providerId: '\uFFFD', tool: '\uFFFD' }] });
  });

  test('T1 a model call that was lost in a crash is asked again', () => {
    expect(modelActor(modelThat(never)).effectClass({ request: requestOf(), tries: { retried: 0, limited: 0 } })).toBe(
      'repeatable',
    );
  });
});

describe('T8 without tools the model can only talk', () => {
  const read = { tool: 'read', arguments: {} };
  const answer = () => ({ text: 'Hi.', calls: [read, read] });

  test('T8 calls it makes anyway are kept as a fact, after a warning', async () => {
    const events = await eventsOf(answer, requestOf({ tools: [] }));
    const message = 'The model was offered no tools, but asked for 2 calls.';
    expect(events[0]).toEqual({ type: 'warning.raised', payload: { code: 'calls_ignored', message } });
    expect(events.slice(1)).toMatchObject([
      { type: 'model.completed', payload: { calls: [{ callId: '0.0' }, { callId: '0.1' }] } },
    ]);
  });

  test('T8 no warning for calls that were offered, nor for an answer in text', async () => {
    expect(await eventsOf(answer)).toMatchObject([{ type: 'model.completed' }]);
    const inText = await eventsOf(() => ({ text: 'Hi.' }), requestOf({ tools: [] }));
    expect(inText).toMatchObject([{ type: 'model.completed' }]);
  });
});

describe('T11 what is no answer is a failure', () => {
  test('T11 an error says what it knows', async () => {
    const usage = { inputTokens: 9, outputTokens: 1 };
    const fail = () => Promise.reject(new ModelError('overloaded', 'Come back later.', usage));
    expect(await eventsOf(fail)).toEqual([failedWith('overloaded', 'Come back later.', usage)]);
  });

  test('T11 any other thing that is thrown is told as it is', async () => {
    const thrown = (value: unknown) => eventsOf(() => Promise.reject(value));
    const throwing = () => {
      throw new TypeError('no socket');
    };
    expect(await eventsOf(throwing)).toEqual([failedWith('model_error', 'no socket')]);
    expect(await thrown('no socket')).toEqual([failedWith('model_error', "'no socket'")]);
    expect(await thrown(Object.create(null))).toEqual([failedWith('model_error', expect.any(String))]);
    expect(await thrown(new Error('x'.repeat(5_000)))).toEqual([failedWith('model_error', 'x'.repeat(2_000))]);
    expect(await thrown(new Error('half \uD83D'))).toEqual([failedWith('model_error', 'half \uFFFD')]);
  });

  test('T11 an error that counts in odd numbers counts nothing', async () => {
    const fail = () => Promise.reject(new ModelError('odd', 'odd', { inputTokens: Number.NaN, outputTokens: -1 }));
    expect(await eventsOf(fail)).toEqual([failedWith('odd', 'odd')]);
  });

  test.each([
    ['nothing', undefined, 'the whole of it'],
    ['a text of another type', { text: 7 }, 'text'],
    ['a text too long', { text: 'x'.repeat(MAX_ANSWER_CHARACTERS + 1) }, 'text'],
    ['calls that are no list', { text: '', calls: {} }, 'calls'],
    ['a call without a tool', { text: '', calls: [{ arguments: {} }] }, 'calls.0.tool'],
    ['a tool name without end', { text: '', calls: [{ tool: 'x'.repeat(513), arguments: {} }] }, 'calls.0.tool'],
  ])('T11 %s: the failure names the place', async (_, answer, place) => {
    expect(await eventsOf(() => answer)).toEqual([unusable(place)]);
  });

  test('T11 more calls than the limit are a failure, and what they cost is counted', async () => {
    const usage = { inputTokens: 3, outputTokens: 4 };
    const callsOf = (count: number) => Array.from({ length: count }, () => ({ tool: 'read', arguments: {} }));
    expect(await eventsOf(() => ({ text: '', calls: callsOf(MAX_CALLS_PER_ANSWER + 1), usage }))).toEqual([
      unusable('calls', usage),
    ]);
    expect(await eventsOf(() => ({ text: '', calls: callsOf(MAX_CALLS_PER_ANSWER), usage }))).toMatchObject([
      { type: 'model.completed' },
    ]);
  });
});

describe('T1 invalid arguments do not fail the answer: the tool refuses them, so that the model gets the error', () => {
  const argumentsAfter = async (value: unknown) => {
    const [event] = await eventsOf(() => ({ text: '', calls: [{ tool: 'read', arguments: value }] }));
    return event?.type === 'model.completed' ? event.payload.calls[0]?.arguments : event;
  };

  test.each([
    ['{"path": "a"}', { path: 'a' }],
    ['["a"]', '["a"]'],
    ['12', '12'],
    ['null', 'null'],
    ['{"path": "a', '{"path": "a'],
    ['{"path": "\\ud800"}', expect.stringContaining('not JSON')],
  ])('an object that was written as a text once more is that object: %s', async (written, meant) => {
    expect(await argumentsAfter(written)).toEqual(meant);
  });

  test('T1 whatever is JSON is kept as it is', () =>
    fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text)),
        async (value) => {
          fc.pre(typeof value !== 'string' && !JSON.stringify(value).includes('__proto__'));
          expect(await argumentsAfter(value)).toEqual(value);
        },
      ),
    ));

  test('T1 whatever comes, the log can keep it', () =>
    fc.assert(
      fc.asyncProperty(fc.anything({ withBigInt: true, withDate: true, withMap: true }), async (value) => {
        const events = await eventsOf(() => ({ text: '', calls: [{ tool: 'read', arguments: value }] }));
        expect(events).toMatchObject([{ type: 'model.completed' }]);
      }),
    ));

  test('T1 what is not JSON says so, and where', async () => {
    expect(await argumentsAfter(undefined)).toBe('not JSON: undefined at $');
    expect(await argumentsAfter({ path: { at: new Date() } })).toBe('not JSON: an instance of Date at $.path.at');
  });

  test('B4 T1 nested in 200 levels they are kept, and in more the call has a text for its tool to refuse', async () => {
    const nested = (depth: number) => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1);
    expect(await argumentsAfter(nested(MAX_ARGUMENT_DEPTH))).toEqual(nested(MAX_ARGUMENT_DEPTH));
    for (const depth of [MAX_ARGUMENT_DEPTH + 1, 2_000, 100_000])
      expect(await argumentsAfter(nested(depth))).toBe('too deep: nested in more than 200 levels');
  });

  test('T1 arguments without end are told as too long', async () => {
    const text = (characters: number) => 'x'.repeat(characters - '""'.length);
    expect(await argumentsAfter(text(MAX_ARGUMENT_CHARACTERS))).toBe(text(MAX_ARGUMENT_CHARACTERS));
    expect(await argumentsAfter(text(MAX_ARGUMENT_CHARACTERS + 1))).toBe('too long: 1000001 of 1000000 characters');
  });
});

describe('T11 told to stop, the model keeps what it has said', () => {
  const interrupted = (reason: string, text: string, usage: Usage = guessed(text.length)) => [
    { type: 'model.interrupted', payload: { reason, text, usage } },
  ];

  test('T11 the text so far, and the reason', async () => {
    const told = new AbortController();
    const answer: Answering = (_, { delta }) => {
      delta('Half an ');
      queueMicrotask(() => told.abort('pause'));
      return never();
    };
    expect(await eventsOf(answer, requestOf(), told.signal)).toEqual(interrupted('pause', 'Half an '));
  });

  test('T11 a model that does not listen is not waited for, and its late words are dropped', async () => {
    const told = new AbortController();
    let say: ModelCall['delta'] = () => {};
    const answer: Answering = (_, { delta }) => {
      say = delta;
      told.abort('abort');
      delta('too late');
      return never();
    };
    const { events, deltas } = await asked(answer, requestOf(), told.signal);
    say('far too late');
    expect(events).toEqual(interrupted('abort', ''));
    expect(deltas).toEqual([]);
  });

  test('T11 a model that listens says what it has used', async () => {
    const told = new AbortController();
    const usage = { inputTokens: 11, outputTokens: 2 };
    const answer: Answering = (_, { signal, delta }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new ModelError('stopped', 'stopped', usage)));
        delta('Half');
        setImmediate(() => told.abort('abort'));
      });
    expect(await eventsOf(answer, requestOf(), told.signal)).toEqual(interrupted('abort', 'Half', usage));
  });

  test('T11 told before it starts, the model is not asked', async () => {
    let wasAsked = false;
    const answer = () => {
      wasAsked = true;
      return { text: 'Hi.' };
    };
    expect(await eventsOf(answer, requestOf(), AbortSignal.abort('abort'))).toEqual(interrupted('abort', '', NO_USAGE));
    expect(wasAsked).toBe(false);
  });

  test('T11 half a character at the cut is replaced, and no more is kept than an answer may hold', async () => {
    const told = new AbortController();
    const answer: Answering = (_, { delta }) => {
      delta('x'.repeat(MAX_ANSWER_CHARACTERS - 1));
      delta('\uD83D\uDE00');
      queueMicrotask(() => told.abort('abort'));
      return never();
    };
    const [event] = await eventsOf(answer, requestOf(), told.signal);
    expect(event?.payload).toMatchObject({ text: `${'x'.repeat(MAX_ANSWER_CHARACTERS - 1)}\uFFFD` });
  });
});
