import { describe, expect, test } from 'vitest';
import { estimate } from '../../../src/actors/model/token-estimate.ts';
import type { Message } from '../../../src/actors/model/model.ts';
import { LEFT_OUT, recentMessages } from '../../../src/actors/model/recent-messages.ts';
import { fc } from '../../support/fast-check.ts';

const text = fc.string({ maxLength: 600, unit: 'grapheme' });
const callId = fc.constantFrom('0.0', '0.1', '1.0');
const call = fc.record({
  callId,
  providerId: fc.constantFrom(null, 'toolu_1'),
  tool: fc.constantFrom('read', 'write'),
  arguments: fc.record({ path: text }),
});
const calls = fc.uniqueArray(call, { maxLength: 3, selector: (one) => one.callId });
const assistant = fc.record({ role: fc.constant('assistant' as const), text, calls, model: fc.constant('m') });
const user = fc.record({ role: fc.constant('user' as const), text });
const tool = fc.record({
  role: fc.constant('tool' as const),
  callId,
  tool: fc.constant('read'),
  output: text,
  failed: fc.boolean(),
});
/** Mostly answers with their results, and whatever else a list of messages could hold. */
const complete = assistant.map((answer): Message[] => [
  answer,
  ...answer.calls.map((one): Message => ({
    role: 'tool',
    callId: one.callId,
    tool: one.tool,
    output: one.arguments.path,
    failed: false,
  })),
]);
const single = fc.oneof(user, assistant, tool).map((message): Message[] => [message]);
const conversation = fc.array(fc.oneof(complete, complete, single), { maxLength: 30 }).map((all) => all.flat());
const limits = fc.record({ maxTokens: fc.nat({ max: 2_000 }), maxBytes: fc.nat({ max: 20_000 }) });

const tokensOf = (messages: readonly Message[]) =>
  estimate({ system: null, messages, tools: [], run: 'r', step: 0, iteration: 0 }, '', []).inputTokens;
const bytesOf = (messages: readonly Message[]) => Buffer.byteLength(JSON.stringify(messages));

describe('R5 the newest messages that fit', () => {
  test('R5 are never above a limit, whatever the conversation', () => {
    fc.assert(
      fc.property(conversation, limits, (messages, limit) => {
        const recent = recentMessages(messages, limit);
        expect(tokensOf(recent)).toBeLessThanOrEqual(limit.maxTokens);
        if (recent.length > 0) expect(bytesOf(recent)).toBeLessThanOrEqual(limit.maxBytes + 1);
      }),
    );
  });

  test('R5 have every call with its result right after it, under an id of its own, and begin with the user', () => {
    fc.assert(
      fc.property(conversation, limits, (messages, limit) => {
        const recent = recentMessages(messages, limit);
        if (recent.length > 0) expect(recent[0]?.role).toBe('user');
        const asked = recent.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
        expect(new Set(asked.map((one) => one.callId)).size).toBe(asked.length);
        for (const [index, message] of recent.entries()) {
          if (message.role === 'user') continue;
          const answer = recent.slice(0, index + 1).findLastIndex(({ role }) => role !== 'tool');
          const after = recent.slice(answer + 1);
          const results = after.slice(0, after.findIndex(({ role }) => role !== 'tool') >>> 0);
          const ids = (list: readonly object[]) => list.map((one) => ('callId' in one ? one.callId : null));
          const from = recent[answer];
          expect(ids(results)).toEqual(from?.role === 'assistant' ? ids(from.calls) : []);
        }
      }),
    );
  });

  test('R5 are the end of the whole conversation, and with more room there are never fewer', () => {
    const plain = fc.array(complete, { maxLength: 20 }).map((all) => all.flat());
    fc.assert(
      fc.property(plain, limits, (messages, { maxTokens }) => {
        const whole = recentMessages(messages, { maxTokens: 1_000_000 });
        const recent = recentMessages(messages, { maxTokens });
        expect(recent.length).toBeLessThanOrEqual(recentMessages(messages, { maxTokens: maxTokens * 2 }).length);
        const texts = (list: readonly Message[]) => list.map((one) => (one.role === 'tool' ? one.output : one.text));
        const kept = texts(recent).slice(1);
        const isCut = kept.some((one) => one.includes('…'));
        if (!isCut) expect(texts(whole).slice(whole.length - kept.length)).toEqual(kept);
      }),
    );
  });

  const long = 'x'.repeat(10_000);
  const answer = (said: string): Message => ({ role: 'assistant', text: said, calls: [] });
  const reading = (output: string): Message[] => [
    {
      role: 'assistant',
      text: 'I read it.',
      calls: [{ callId: '3.0', providerId: 'p', tool: 'read', arguments: { path: 'a' } }],
      model: 'm',
      continuity: { secret: 1 },
    },
    { role: 'tool', callId: '3.0', tool: 'read', output, failed: false },
  ];

  test('R5 are all of them where there is room, without what only their provider understands', () => {
    const messages: Message[] = [{ role: 'user', text: 'Fix it.' }, ...reading('ok'), answer('Done.')];
    expect(recentMessages(messages, { maxTokens: 1_000 })).toEqual([
      { role: 'user', text: 'Fix it.' },
      {
        role: 'assistant',
        text: 'I read it.',
        calls: [{ callId: 'earlier.0', providerId: null, tool: 'read', arguments: { path: 'a' } }],
      },
      { role: 'tool', callId: 'earlier.0', tool: 'read', output: 'ok', failed: false },
      { role: 'assistant', text: 'Done.', calls: [] },
    ]);
  });

  test('R5 say that the beginning is left out, where it is', () => {
    const messages: Message[] = [{ role: 'user', text: long }, ...reading(long), answer('Done.')];
    expect(recentMessages(messages, { maxTokens: 100 })).toEqual([{ role: 'user', text: LEFT_OUT }, answer('Done.')]);
  });

  test('R5 have the newest answer cut where it alone is too long, and nothing where it cannot be cut', () => {
    const [note, from, result, ...more] = recentMessages(reading(long), { maxTokens: 500 });
    expect([note, more]).toEqual([{ role: 'user', text: LEFT_OUT }, []]);
    expect(from).toMatchObject({ text: 'I read it.', calls: [{ tool: 'read' }] });
    expect(result).toMatchObject({ output: expect.stringMatching(/^x{100,}…x{100,}$/) });
    expect(recentMessages(reading(long), { maxTokens: 50 })).toEqual([]);
  });
});
