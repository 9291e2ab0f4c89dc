import { describe, expect, test } from 'vitest';
import { compactionActor, type CompactionInput, keptMessages } from '../../../src/actors/model/compaction-actor.ts';
import { type Message, type Model, ModelError } from '../../../src/actors/model/model.ts';
import { summaryText } from '../../../src/actors/model/summary-text.ts';
import fc from 'fast-check';
import { performed } from '../performed.ts';
import { requestOf } from './request.ts';

const call = (callId: string) => ({ callId, providerId: null, tool: 'read', arguments: { path: callId } });
const result = (callId: string, output = 'x'.repeat(40)): Message => ({
  role: 'tool',
  callId,
  tool: 'read',
  output,
  failed: false,
});
const answer = (...ids: string[]): Message => ({ role: 'assistant', text: 'I read.', calls: ids.map(call) });
const TASK: Message = { role: 'user', text: 'The task.' };
const LONG: readonly Message[] = [TASK, answer('a', 'b'), result('a'), result('b'), answer('c'), result('c')];

const input = (changes: Partial<CompactionInput> = {}): CompactionInput => ({
  request: requestOf({ messages: LONG }),
  task: 0,
  room: { inputTokens: 100, isCounted: true, learnedTokens: null },
  allowance: { tokens: null, nanoUsd: null, inputTokens: 100, isCounted: true },
  keepsRecent: true,
  steering: [],
  ...changes,
});

const usage = { inputTokens: 5, outputTokens: 7 };
const model = (answers: readonly (string | ModelError)[], seen: unknown[] = []): Model => ({
  name: 'test',
  contextTokens: async () => 1_000,
  answer: async (request) => {
    const next = answers[seen.length] ?? 'again';
    seen.push(request.messages);
    if (typeof next !== 'string') throw next;
    return { text: next, usage };
  },
});
const now = { sleep: async () => {} };

describe('G5 a conversation is summarised', () => {
  test('G5 by its own model, after the conversation as the provider has it cached', async () => {
    const seen: (readonly Message[])[] = [];
    const { events } = await performed(compactionActor(model(['Read a, b and c.'], seen), now), input());

    expect(seen[0]?.slice(0, -1)).toEqual(LONG);
    expect(events).toMatchObject([
      { type: 'context.compacted', payload: { summary: expect.stringContaining('Read a, b and c.'), usage } },
    ]);
  });

  test('G5 a failure that may pass is asked again, and its usage counts', async () => {
    const failed = new ModelError('provider_unavailable', 'busy', { inputTokens: 2, outputTokens: 0 });
    const { events } = await performed(compactionActor(model([failed, 'Done so far.']), now), input());

    expect(events).toMatchObject([
      { payload: { usage: { inputTokens: 7, outputTokens: 7 }, summary: expect.stringContaining('Done so far.') } },
    ]);
  });

  test('G5 without room in the budget no model is asked', async () => {
    const seen: unknown[] = [];
    const allowance = { tokens: 120, nanoUsd: null, inputTokens: 100, isCounted: true };
    const { events } = await performed(compactionActor(model(['x'], seen), now), input({ allowance }));

    expect(seen).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['warning.raised', 'context.compacted']);
    expect(events[1]).toMatchObject({ payload: { summary: expect.stringContaining('called read {"path":"c"}') } });
  });

  test.each([
    ['refusal', 'the model refused to answer'],
    ['filter', 'the content filter of the provider held the answer back'],
  ] as const)('G5 the words of a %s are no summary', async (cut, why) => {
    const refusing: Model = { ...model([]), answer: async () => ({ text: 'Sorry, not that.', usage, cut }) };
    const { events } = await performed(compactionActor(refusing, now), input());

    expect(events).toMatchObject([
      { type: 'warning.raised', payload: { message: `The conversation was summarised without the model: ${why}` } },
      { payload: { usage, summary: expect.stringContaining('called read {"path":"c"}') } },
    ]);
    expect(JSON.stringify(events)).not.toContain('Sorry');
  });

  test.each([
    ['length', 'the answer was as long as it may be'],
    ['context', 'the window of the model was full'],
  ] as const)('G5 a summary that is cut off by %s is not taken for a whole one', async (cut, why) => {
    const cutOff: Model = { ...model([]), answer: async () => ({ text: 'Read a and', usage, cut }) };
    const { events } = await performed(compactionActor(cutOff, now), input());

    expect(events).toMatchObject([
      { type: 'warning.raised', payload: { code: 'compaction_cut', message: expect.stringContaining(why) } },
      { payload: { summary: expect.stringMatching(/Read a and\n\[This summary was cut off here\.\][^]*called read/) } },
    ]);
  });

  test('G5 a summary that is longer than its room is cut, with room for what was done last', async () => {
    const { events } = await performed(compactionActor(model(['w'.repeat(5_000)]), now), input());

    expect(events).toMatchObject([
      {
        payload: { code: 'compaction_cut', message: expect.stringContaining('5000 characters, and has room for 500') },
      },
      { payload: { summary: expect.stringContaining('called read {"path":"c"}') } },
    ]);
  });

  test('G5 an answer that is cut off before its first word counts as no summary', async () => {
    const thinking: Model = { ...model([]), answer: async () => ({ text: '', usage, cut: 'length' }) };
    const { events } = await performed(compactionActor(thinking, now), input());

    expect(events).toMatchObject([
      {
        payload: {
          code: 'compaction_failed',
          message: expect.stringContaining('said nothing: the answer was as long'),
        },
      },
      { payload: { summary: expect.stringContaining('called read') } },
    ]);
  });

  test('G5 what was too long before keeps no message beside the summary', async () => {
    const { events } = await performed(compactionActor(model(['x']), now), input({ keepsRecent: false }));

    expect(events[0]).toMatchObject({ payload: { kept: { messages: 0, characters: 0 } } });
  });

  test('G5 a conversation that was refused is asked about in part: the task, and the newest that fits', async () => {
    const seen: (readonly Message[])[] = [];
    const old = Array.from({ length: 50 }, (_, index) => [answer(`o${index}`), result(`o${index}`, 'y'.repeat(400))]);
    const request = requestOf({ messages: [TASK, ...old.flat(), ...LONG.slice(1)] });
    const room = { inputTokens: 6_000, isCounted: true, learnedTokens: 800 };
    await performed(compactionActor(model(['x'], seen), now), input({ request, room }));

    const [first, ...rest] = seen[0] ?? [];
    expect(first).toEqual(TASK);
    expect(JSON.stringify(rest).length).toBeLessThan(800 * 4);
    expect(JSON.stringify(rest)).toContain('"path":"c"');
  });
});

describe('G7 the task of a run that continues a conversation is not the first message', () => {
  const HISTORY: readonly Message[] = [
    { role: 'user', text: 'The task before.' },
    answer('h'),
    result('h', 'h'.repeat(400)),
    { role: 'user', text: 'The work on that has ended.' },
  ];
  const messages = [...HISTORY, ...LONG];
  const task = HISTORY.length;
  const refused = (learnedTokens: number) => ({ inputTokens: 6_000, isCounted: true, learnedTokens });
  const askedAbout = async (changes: Partial<CompactionInput>): Promise<readonly Message[]> => {
    const seen: (readonly Message[])[] = [];
    await performed(compactionActor(model(['x'], seen), now), input({ task, ...changes }));
    return seen[0]?.slice(0, -1) ?? [];
  };

  test('G7 the summary is about the task, and about the earlier conversation as far as it fits', async () => {
    const old = Array.from({ length: 20 }, (_, index) => [answer(`o${index}`), result(`o${index}`, 'y'.repeat(400))]);
    const long = requestOf({ messages: [...HISTORY, TASK, ...old.flat(), ...LONG.slice(1)] });
    const [first, ...rest] = await askedAbout({ request: long, room: refused(800) });
    expect(first).toEqual(TASK);
    expect(rest).not.toContainEqual(HISTORY[0]);
    expect(JSON.stringify(rest)).toContain('"path":"c"');

    const all = await askedAbout({ request: requestOf({ messages }), room: refused(900) });
    expect(all.slice(-LONG.length)).toEqual(LONG);
    expect(all.slice(0, -LONG.length).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);

    const some = await askedAbout({ request: requestOf({ messages }), room: refused(240) });
    expect(some.slice(-LONG.length)).toEqual(LONG);
    expect(some.slice(0, -LONG.length)).not.toContainEqual(HISTORY[0]);
    expect(some).toContainEqual(HISTORY[3]);
  });

  test('G7 what is kept beside the summary never has the task twice, nor what came before it', async () => {
    const { events } = await performed(
      compactionActor(model(['x']), now),
      input({ request: requestOf({ messages }), task }),
    );
    expect(events).toMatchObject([{ payload: { kept: { messages: LONG.length - 1 } } }]);
  });

  test('G7 without a model the task is not among what was done, and the earlier conversation is', async () => {
    const allowance = { tokens: 120, nanoUsd: null, inputTokens: 100, isCounted: true };
    const { events } = await performed(
      compactionActor(model([]), now),
      input({ request: requestOf({ messages }), task, allowance }),
    );
    const [, compacted] = events;
    expect(compacted).toMatchObject({
      payload: { summary: expect.stringContaining('told: The work on that has ended.') },
    });
    expect(compacted).toMatchObject({ payload: { summary: expect.not.stringContaining('told: The task.') } });
  });
});

test('G5 no call is parted from its result by what is kept', () => {
  const block = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 300 }));
  const conversation = fc.array(block, { maxLength: 12 }).map((blocks) => [
    TASK,
    ...blocks.flatMap(([calls, length], at): Message[] => {
      const ids = Array.from({ length: calls }, (_, index) => `${at}.${index}`);
      return [answer(...ids), ...ids.map((id) => result(id, 'z'.repeat(length)))];
    }),
  ]);
  fc.assert(
    fc.property(conversation, fc.integer({ min: 0, max: 400 }), (messages, tokens) => {
      const { messages: count, characters } = keptMessages(messages, tokens);
      const kept = count === 0 ? [] : messages.slice(-count);
      expect(kept[0]?.role).not.toBe('tool');
      expect(kept).not.toContain(TASK);
      expect(characters).toBeLessThanOrEqual(tokens * 4);
    }),
  );
});

test('G5 what a person has added stands after the summary, word for word', () => {
  expect(summaryText('So far.', ['Use tabs.', 'Ask me.'], 1_000)).toContain('- Use tabs.\n- Ask me.');
});
