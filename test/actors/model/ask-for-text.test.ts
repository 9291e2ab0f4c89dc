import { describe, expect, test } from 'vitest';
import { compactionActor } from '../../../src/actors/model/compaction-actor.ts';
import type { Message, Model, ModelAnswer, ModelRequest } from '../../../src/actors/model/model.ts';
import type { Allowance } from '../../../src/actors/model/purse.ts';
import { summaryActor } from '../../../src/actors/model/summary-actor.ts';
import { performed } from '../performed.ts';
import { requestOf } from './request.ts';

const usage = { inputTokens: 5, outputTokens: 7 };
const CALL = { tool: 'read', arguments: { path: 'c' } };
const TEXT_CALL = '<tool_call>\n{"name": "read", "arguments": {"path": "c"}}\n</tool_call>';
const LONG: readonly Message[] = [
  { role: 'user', text: 'The task.' },
  {
    role: 'assistant',
    text: 'I read.',
    calls: [{ callId: 'a', providerId: 'p', tool: 'read', arguments: { path: 'a' } }],
    model: 'test',
    continuity: [{ part: 'text', characters: 7 }],
  },
  { role: 'tool', callId: 'a', tool: 'read', output: 'What is in a.', failed: false },
];
const request = requestOf({ messages: LONG });
const allowance: Allowance = { tokens: null, nanoUsd: null, inputTokens: 100, isCounted: true };

function saying(...answers: readonly Omit<ModelAnswer, 'usage'>[]): { model: Model; seen: ModelRequest[] } {
  const seen: ModelRequest[] = [];
  const answer = async (asked: ModelRequest) => {
    seen.push(asked);
    return { text: 'asked too often', ...answers[seen.length - 1], usage };
  };
  return { model: { name: 'test', contextTokens: async () => 4_000, answer }, seen };
}

const compacted = (model: Model, limits = allowance) =>
  performed(compactionActor(model, { sleep: async () => {} }), {
    request,
    task: 0,
    room: { inputTokens: 100, isCounted: true, learnedTokens: null },
    allowance: limits,
    keepsRecent: true,
    steering: [],
  });

describe('G13 a summary that is answered with a call', () => {
  test.each([
    ['a call', { text: '', calls: [CALL] }],
    ['a call after a text', { text: 'Let me read c first.', calls: [CALL] }],
    ['a call as text', { text: TEXT_CALL }],
    ['a promised call', { text: 'Let me read c first.', endsInCalls: true }],
  ])('G13 of a conversation is asked for again without tools: %s', async (_, first) => {
    const { model, seen } = saying(first, { text: 'Read a; c is left.' });
    const { events } = await compacted(model);

    expect(events).toMatchObject([
      {
        type: 'context.compacted',
        payload: {
          summary: expect.stringContaining('Read a; c is left.'),
          usage: { inputTokens: 10, outputTokens: 14 },
        },
      },
    ]);
    expect(seen).toHaveLength(2);
    expect(seen[0]?.tools).not.toEqual([]);
    expect(seen[1]?.tools).toEqual([]);
    expect(seen[1]?.messages.slice(0, 3)).toEqual([
      LONG[0],
      { role: 'assistant', text: 'I read.\nCalled read {"path":"a"}', calls: [] },
      { role: 'user', text: 'Result of read: What is in a.' },
    ]);
    expect(seen[1]?.messages.at(-1)).toEqual({
      role: 'user',
      text: expect.stringMatching(/no longer fits your window[^]*Answer in text\.$/),
    });
  });

  test('G13 it is asked again once: a list of what was done stands for it then', async () => {
    const { model, seen } = saying({ text: '', calls: [CALL] }, { text: '', calls: [CALL] });
    const { events } = await compacted(model);

    expect(seen).toHaveLength(2);
    expect(events).toMatchObject([
      { payload: { code: 'compaction_failed' } },
      { payload: { summary: expect.stringContaining('called read {"path":"a"}') } },
    ]);
  });

  test('G13 a text beside the call is used where the second answer has none', async () => {
    const { model } = saying({ text: 'Read a; c is left.', calls: [CALL] }, { text: '' });

    expect((await compacted(model)).events).toMatchObject([
      { type: 'context.compacted', payload: { summary: expect.stringContaining('Read a; c is left.') } },
    ]);
  });

  test('G13 it is not asked again where the allowance has no room for that', async () => {
    const { model, seen } = saying({ text: '', calls: [CALL] });
    await compacted(model, { ...allowance, tokens: 170 });

    expect(seen).toHaveLength(1);
  });

  test('G13 of a run is asked for again', async () => {
    const { model, seen } = saying({ text: '', calls: [CALL] }, { text: 'Half of it is done.' });
    const input = { request: requestOf({ tools: [] }), allowance, sentinel: 'step cap reached' };
    const { events } = await performed(summaryActor(model), input);

    expect(seen).toHaveLength(2);
    expect(events).toMatchObject([
      {
        type: 'summary.written',
        payload: { text: 'step cap reached\n\nHalf of it is done.', usage: { inputTokens: 10, outputTokens: 14 } },
      },
    ]);
  });

  test('G13 of a run is not asked for again where a text stands beside the call', async () => {
    const { model, seen } = saying({ text: 'Half of it is done.', calls: [CALL] });
    await performed(summaryActor(model), { request: requestOf({ tools: [] }), allowance, sentinel: 'cap' });

    expect(seen).toHaveLength(1);
  });
});
