import { expect, test } from 'vitest';
import type { LoopEvent, ToolCall } from '../../machines/events.ts';
import { handoffCycle, delegationSignature } from '../../src/detectors/handoff-cycle.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { turnStarted } from '../support/facts.ts';
import { foundIn } from './folding.ts';

const traits: TraitsOf = (tool) =>
  tool === 'delegate' ? { handoff: (given) => given as { agent: string; task: string } } : {};

const handing = (...handoffs: { tool?: string; agent: string; task: string }[]): LoopEvent => ({
  type: 'model.completed',
  payload: {
    text: '',
    calls: handoffs.map(({ tool = 'delegate', ...given }, index): ToolCall => ({
      callId: `0.${index}`,
      providerId: null,
      tool,
      arguments: given,
    })),
    usage: { inputTokens: 1, outputTokens: 1 },
  },
});

const started = (agent: string | null, prompt: string, lineage?: string[]): LoopEvent => {
  const { payload } = turnStarted();
  const parent = lineage ? { run: 'p', effect: 'p/1/1', iteration: 0, lineage } : null;
  return { type: 'run.started', payload: { ...payload, settings: { ...payload.settings, agent, prompt, parent } } };
};

const a = { agent: 'a', task: 'mend the clock' };
const b = { agent: 'b', task: 'mend the clock' };
const c = { agent: 'c', task: 'mend the clock' };

test('D12 A hands to B, B to C, and C back to A: that call is blocked, the others of the answer are not', () => {
  const facts = [started('c', c.task, [a, b].map(delegationSignature)), handing({ agent: 'd', task: 'x' }, a, b)];
  expect(foundIn(handoffCycle(traits), facts)).toEqual([
    {
      detector: 'handoff-cycle',
      level: 'block',
      count: 2,
      message: 'a already has this task and waits for its result: mend the clock',
      evidence: ['run/1', 'run/2'],
      calls: ['0.1', '0.2'],
    },
  ]);
});

test('D12 the run itself is part of the chain', () => {
  expect(foundIn(handoffCycle(traits), [started('a', a.task), handing(a)])).toHaveLength(1);
  expect(
    foundIn(handoffCycle(traits), [started(null, a.task), handing({ agent: '', task: ' mend  the\nclock ' })]),
  ).toHaveLength(1);
});

test('D12 another task, another agent, or a task that is asked for twice is not a cycle', () => {
  const facts = [started('a', a.task), handing({ ...a, task: 'oil the clock' }, b), handing(b), handing(b)];
  expect(foundIn(handoffCycle(traits), facts)).toEqual([]);
  expect(foundIn(handoffCycle(traits), [started('a', a.task), handing({ ...a, tool: 'read' })])).toEqual([]);
});

test('D12 signatures tell agent and task apart', () => {
  expect(delegationSignature({ agent: 'a b', task: 'c' })).not.toBe(delegationSignature({ agent: 'a', task: 'b c' }));
});
