import { expect, test } from 'vitest';
import type { RunSettings } from '../../../machines/settings.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import { NextCall } from '../../../src/budget/next-call.ts';
import { Transcript } from '../../../src/loops/turn/conversation.ts';
import { createHarness } from '../../support/harness.ts';

const settings: RunSettings = {
  ...createHarness({ model: { answers: [{ text: 'x' }] } }).settingsOf({ prompt: 'Go on.' }),
  history: [
    { role: 'user', text: 'Fix it.' },
    {
      role: 'assistant',
      text: 'I look.',
      calls: [{ callId: 'earlier.0', providerId: null, tool: 'read', arguments: { path: 'x'.repeat(400) } }],
    },
    { role: 'tool', callId: 'earlier.0', tool: 'read', output: 'y'.repeat(4_000), failed: false },
  ],
};
const started = (of: RunSettings): LoopEvent => ({ type: 'run.started', payload: { machine: 'turn@1', settings: of } });
const compacted: LoopEvent = {
  type: 'context.compacted',
  payload: { summary: 'All is well.', usage: { inputTokens: 0, outputTokens: 0 } },
};
const factOf = (event: LoopEvent, version: number) =>
  ({ ...event, run: 'r', version, at: '2026-01-01T00:00:00Z' }) as Parameters<Transcript['observe']>[0];

test('R5 a turn begins with its history and its prompt, of which a summary leaves the prompt', () => {
  const transcript = new Transcript();
  transcript.observe(factOf(started(settings), 1));
  expect(transcript.messages()).toEqual([...(settings.history ?? []), { role: 'user', text: 'Go on.' }]);
  expect(transcript.answer()).toBe('');
  transcript.observe(factOf(compacted, 2));
  expect(transcript.messages()).toEqual([
    { role: 'user', text: 'Go on.' },
    { role: 'user', text: 'All is well.' },
  ]);
});

test('R5 the history counts in the estimate of the first request, until a summary replaces it', () => {
  const { history: _, ...fresh } = settings;
  const [one, other] = [new NextCall(), new NextCall()];
  one.observe(started(fresh));
  other.observe(started(settings));
  expect(other.inputTokens - one.inputTokens).toBeGreaterThan(1_100);
  one.observe(compacted);
  other.observe(compacted);
  expect(other.inputTokens).toBe(one.inputTokens);
});

test('G8 an image counts in the estimate of the first request, and stays with the prompt after a summary', () => {
  const image = { name: 'a.png', mediaType: 'image/png' as const, bytes: 9, sha256: 'a'.repeat(64) };
  const shown = { ...settings, images: [image, image] };
  const [one, other] = [new NextCall(), new NextCall()];
  const transcript = new Transcript();
  one.observe(started(settings));
  other.observe(started(shown));
  transcript.observe(factOf(started(shown), 1));
  expect(other.inputTokens - one.inputTokens).toBe(3_200);
  one.observe(compacted);
  other.observe(compacted);
  transcript.observe(factOf(compacted, 2));
  expect(other.inputTokens - one.inputTokens).toBe(3_200);
  expect(transcript.messages()[0]).toMatchObject({ text: 'Go on.', images: [image, image] });
});
