import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { timelineEntry } from '../../src/projections/timeline.ts';
import { recorded } from './recorded.ts';

const said = (event: LoopEvent) => timelineEntry({ run: 'r', version: 1, at: '2026-01-01T00:00:00.000Z', ...event }).text;

test('every fact of a real run is one short line', async () => {
  const script = { answers: [{ text: 'two\nlines \u001b[31mand colour', calls: [{ tool: 'list' }, { tool: 'nothing' }] }, { text: 'x'.repeat(500) }] };
  const { run, factsOf } = await recorded(script, { checks: ['echo a; echo b; false'], maxIterations: 1 });
  const facts = await factsOf(run);
  const child = facts.find((fact) => fact.type === 'child.settled');
  const all = [...facts, ...(await factsOf(child?.type === 'child.settled' ? child.payload.child : ''))];
  expect(all.length).toBeGreaterThan(20);
  for (const { text } of all.map(timelineEntry)) {
    expect(text).not.toMatch(/\p{Cc}/u);
    expect(text.length).toBeLessThanOrEqual(160);
  }
});

test('T4 steps and iterations are counted from 1 in text', () => {
  const startedAt = '2026-01-01T00:00:00.000Z';
  expect(said({ type: 'step.started', payload: { step: 0, startedAt } })).toBe('step 1');
  expect(said({ type: 'iteration.started', payload: { iteration: 2, startedAt } })).toBe('iteration 3');
});

test('what was cut short before a word was said ends with its reason', () => {
  const interrupted = (text: string) => said({ type: 'model.interrupted', payload: { reason: 'abort', text, usage: { inputTokens: 0, outputTokens: 0 } } });
  expect(interrupted('')).toBe('abort');
  expect(interrupted('so far')).toBe('abort: so far');
});

test('a call is told with what it is about, a refused one with the reason', () => {
  const call = (args: object) => ({ callId: '0.0', providerId: null, tool: 'shell', arguments: { ...args } });
  const usage = { inputTokens: 1, outputTokens: 1 };
  expect(said({ type: 'model.completed', payload: { text: 'look:', calls: [call({ timeoutSeconds: 3, command: 'ls' })], usage } })).toBe('look: shell(ls)');
  expect(said({ type: 'calls.admitted', payload: { run: [], refused: [{ callId: '0.0', reason: 'budget' }] } })).toBe('0 calls, 0.0 refused: budget');
});
