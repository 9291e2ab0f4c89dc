import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { NextCall } from '../../src/budget/next-call.ts';
import * as has from '../support/facts.ts';

/** The estimate after a turn has started and these events were observed. */
function expected(...events: readonly LoopEvent[]): number {
  const next = new NextCall();
  for (const event of [has.turnStarted(), ...events]) next.observe(event);
  return next.inputTokens;
}

/** What an event adds to the estimate after the first answer of the model, which a provider has counted. */
const adds = (event: LoopEvent): number => expected(has.modelAnswered, event) - expected(has.modelAnswered);

const answered = (usage: object, more: object = {}): LoopEvent =>
  ({ type: 'model.completed', payload: { text: 'x'.repeat(400), calls: [], usage, ...more } }) as LoopEvent;

describe('the estimated input of the next call', () => {
  const counted = { inputTokens: 1_000, outputTokens: 300, reasoningTokens: 200 };

  test('leaves out reasoning tokens, which are not sent again', () => expect(expected(answered(counted))).toBe(1_100));

  test('contains reasoning tokens where the provider wants them back', () =>
    expect(expected(answered(counted, { continuity: {} }))).toBe(1_300));

  test('is never below the counted input, whatever a provider says of reasoning', () =>
    expect(expected(answered({ ...counted, reasoningTokens: 900 }))).toBe(1_000));

  test('is the text so far where a provider counts no input', () =>
    expect(expected(answered({ inputTokens: 0, outputTokens: 9 })) - expected()).toBe(100));

  test.each<readonly [string, LoopEvent]>([
    ['the output of a call', { type: 'tool.completed', payload: { callId: '0.0', output: 'x'.repeat(40) } }],
    [
      'the fault of a call',
      { type: 'tool.failed', payload: { callId: '0.0', fault: { code: 'no', message: 'x'.repeat(40) } } },
    ],
    ['why a call was stopped', { type: 'tool.interrupted', payload: { callId: '0.0', reason: 'x'.repeat(40) } }],
    [
      'why a call was refused',
      { type: 'calls.admitted', payload: { run: [], refused: [{ callId: '0.0', reason: 'x'.repeat(40) }] } },
    ],
    ['the answer of a user', { type: 'person.answered', payload: { callId: '0.0', answer: 'x'.repeat(40) } }],
    ['the text of a user', { type: 'run.steered', payload: { text: 'x'.repeat(40) } }],
  ])('grows by %s', (_what, event) => expect(adds(event)).toBe(10));

  test('grows by the feedback of a decision in a turn, and not in a loop of attempts', () => {
    const { payload } = has.decidedToGoOn as Extract<LoopEvent, { type: 'decision.made' }>;
    const decided: LoopEvent = { type: 'decision.made', payload: { ...payload, feedback: 'x'.repeat(40) } };
    expect(adds(decided)).toBe(10);
    const next = new NextCall();
    next.observe(has.loopStarted());
    const before = next.inputTokens;
    next.observe(decided);
    expect(next.inputTokens).toBe(before);
  });
});
