import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { Transcript } from '../../../src/loops/turn/conversation.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';

const call = (callId: string) => ({ callId, providerId: null, tool: 'shell', arguments: {} });
const answered: LoopEvent = {
  type: 'model.completed',
  payload: {
    text: 'Three at once.',
    calls: ['0.0', '0.1', '0.2'].map(call),
    usage: { inputTokens: 1, outputTokens: 1 },
  },
};
const admitted = (...callIds: readonly string[]): LoopEvent => ({
  type: 'calls.admitted',
  payload: { run: callIds.map((callId) => ({ callId, actor: 'runTool' as const })), refused: [] },
});

/** What the model reads as the results of its calls, by call. */
function results(...events: readonly LoopEvent[]): Record<string, string> {
  const transcript = new Transcript();
  for (const [index, event] of events.entries()) {
    transcript.observe({ ...event, run: 'r', version: index + 1, at: '2030-01-01T00:00:00.000Z' } as Fact);
  }
  const tools = transcript.messages().flatMap((message) => (message.role === 'tool' ? [message] : []));
  return Object.fromEntries(tools.map(({ callId, output }) => [callId, output]));
}

test('T11 a call that was admitted and never answered counts as interrupted, its outcome unknown', () => {
  const done: LoopEvent = { type: 'tool.completed', payload: { callId: '0.0', output: 'built' } };
  expect(results(answered, admitted('0.0', '0.1', '0.2'), done)).toEqual({
    '0.0': 'built',
    '0.1': expect.stringMatching(/^interrupted: .*How far it got is unknown: check before you do it again\.$/),
    '0.2': expect.stringMatching(/^interrupted: /),
  });
});

test('T11 only a call that was never admitted was not run', () => {
  const notRun = expect.stringMatching(/^not run: /);
  expect(results(answered)).toEqual({ '0.0': notRun, '0.1': notRun, '0.2': notRun });
  expect(results(answered, admitted('0.1'))).toEqual({
    '0.0': notRun,
    '0.1': expect.stringMatching(/^interrupted: /),
    '0.2': notRun,
  });
});

test('R2 a message that finishes with a call keeps its text beside the answer, and a later message drops both', () => {
  const said = (text: string): LoopEvent => ({
    type: 'model.completed',
    payload: { text, calls: [call('0.0'), call('0.1')], usage: { inputTokens: 1, outputTokens: 1 } },
  });
  const finished = (callId: string, answer: string): LoopEvent => ({
    type: 'tool.completed',
    payload: { callId, output: 'finished', answer },
  });
  const transcript = new Transcript();
  const told = (...events: readonly LoopEvent[]) => {
    for (const event of events)
      transcript.observe({ ...event, run: 'r', version: 1, at: '2030-01-01T00:00:00.000Z' } as Fact);
    return [transcript.text(), transcript.answer()];
  };
  expect(told(said('Done.'))).toEqual([null, 'Done.']);
  expect(told(finished('0.0', 'one'), finished('0.1', 'two'))).toEqual(['Done.', 'two']);
  expect(told(said(''), finished('0.0', 'one'), finished('0.1', 'two'))).toEqual([null, 'two']);
  expect(told(said('More.'))).toEqual([null, 'More.']);
});

const HASH = '1'.repeat(40);
const remade = (from: number | 'end'): LoopEvent => ({
  type: 'run.resumed',
  payload: { idleMs: 0, remade: { from, hash: HASH } },
});
const began = (step: number): LoopEvent => ({
  type: 'step.started',
  payload: { step, startedAt: '2030-01-01T00:00:00.000Z' },
});
const wrote = (callId: string, path: string): readonly LoopEvent[] => [
  {
    type: 'model.completed',
    payload: {
      text: '',
      calls: [{ callId, providerId: null, tool: 'write', arguments: { path, content: '' } }],
      usage: { inputTokens: 1, outputTokens: 1 },
    },
  },
  admitted(callId),
  { type: 'tool.completed', payload: { callId, output: 'written' } },
];

/** The messages of a conversation: of the user whole, of others the role. */
function said(...events: readonly LoopEvent[]): readonly string[] {
  const transcript = new Transcript();
  for (const event of events) transcript.observe({ ...event, run: 'r', version: 1, at: '' } as Fact);
  return transcript.messages().map((message) => (message.role === 'user' ? message.text : message.role));
}

test('X4 a question that is asked again contains that the worktree was made again', () => {
  expect(said(began(0), remade(0))).toEqual([expect.stringContaining('is made again')]);
  const between = said(began(0), ...wrote('0.0', 'a.txt'), remade(0));
  expect(between).toEqual(['assistant', 'tool']);
  const next = said(began(0), ...wrote('0.0', 'a.txt'), remade(0), began(1));
  expect(next).toEqual(['assistant', 'tool', expect.stringContaining('are gone: a.txt.')]);
});

test('X4 only changes since the capture that has the files are called gone, and those only once', () => {
  const captured: LoopEvent = { type: 'workspace.captured', payload: { hash: HASH, ref: null, changed: [] } };
  const before = [began(0), ...wrote('0.0', 'a.txt'), captured, began(1), ...wrote('1.0', 'b.txt')];
  expect(said(...before, remade(1), began(2)).at(-1)).toContain('are gone: b.txt.');
  expect(said(...before, remade('end'), began(2)).at(-1)).not.toContain('b.txt');
  const kept = said(...before, remade('end'), began(2), remade(1));
  expect(kept.at(-1)).toContain('are gone: b.txt.');
  const twice = said(...before, remade(1), began(2), ...wrote('2.0', 'c.txt'), remade(1), began(3));
  expect(twice.at(-1)).toContain('are gone: c.txt.');
});
