import { expect, test } from 'vitest';
import type { TurnEvent } from '../../machines/events.ts';
import type { Message } from '../../src/actors/model/model.ts';
import { AgentPast } from '../../src/loops/turn/agent-past.ts';
import { agentPrompt } from '../../src/loops/turn/effects/agent-prompt.ts';

const usage = { inputTokens: 0, outputTokens: 0 };
const lost: TurnEvent = { type: 'model.interrupted', payload: { reason: 'gone', text: '', usage } };
const worked: TurnEvent = {
  type: 'agent.worked',
  payload: {
    session: { id: 's-1' },
    said: ['I look.'],
    plan: [{ text: 'test it', status: 'pending' }],
    calls: [
      { call: 'c1', title: 'src/a.ts', kind: 'read', status: 'completed' },
      { call: 'c2', title: 'npm publish', kind: 'execute', status: 'in_progress' },
    ],
  },
};

function past(...events: readonly TurnEvent[]): AgentPast {
  const agent = new AgentPast();
  for (const event of events) agent.observe(event);
  return agent;
}

const asked: readonly Message[] = [{ role: 'user', text: 'Write it.' }];
const prompted = (agent: AgentPast, messages = asked, before: string | null = null) =>
  agentPrompt({ messages, past: agent, before, name: 'claude' });

test('X5 the first prompt is the task alone, and there is no session to continue', () =>
  expect(prompted(past())).toEqual({ prompt: 'Write it.' }));

test('X5 after a crash the session is continued, and told which call was cut off', () => {
  const { session } = prompted(past(worked, lost));
  expect(session?.id).toBe('s-1');
  expect(session?.prompt).toMatch(/^This task was begun before[^]*- execute: npm publish[^]*Write it\.$/);
  expect(session?.prompt).not.toContain('src/a.ts');
});

test('X5 another session is told what was planned, done and said before the crash', () => {
  const { prompt } = prompted(past(worked, lost));
  for (const part of ['npm publish', 'test it (pending)', 'read: src/a.ts, completed', 'I look.', 'Write it.'])
    expect(prompt).toContain(part);
});

test('X5 a crash before a session was told has nothing to continue', () => {
  const { prompt, session } = prompted(past(lost));
  expect(prompt).toMatch(/^This task was begun before[^]*Write it\.$/);
  expect(session).toBeUndefined();
});

test('X5 a call that was under way is interrupted, whatever is said of it later', () => {
  const agent = past(worked, lost);
  expect(agent.calls().map(({ status }) => status)).toEqual(['completed', 'interrupted']);
  expect(agent.interrupted().map(({ title }) => title)).toEqual(['npm publish']);
});

test('X5 the next step, and an answer, forget what was under way', () => {
  const next: TurnEvent = { type: 'step.started', payload: { step: 1, startedAt: '2026-03-01T12:00:00.000Z' } };
  expect(past(worked, lost, next).calls()).toEqual([]);
  expect(prompted(past(worked, lost, next)).prompt).toBe('Write it.');
});

const answered = (model: string): readonly Message[] => [
  ...asked,
  { role: 'assistant', text: 'Done.', calls: [], model, continuity: { session: 's-2' } },
  { role: 'user', text: 'And now?' },
];

test('X5 what is asked after an answer goes to the session that gave it, and another one is told all', () => {
  const { prompt, session } = prompted(past(), answered('claude'));
  expect(session).toEqual({ id: 's-2', prompt: 'And now?' });
  expect(prompt).toMatch(/Write it\.[^]*Done\.[^]*And now\?$/);
});

test('X5 the session of another agent is not continued', () =>
  expect(prompted(past(), answered('codex')).session).toBeUndefined());

test('X5 where the context continues, the session of the attempt before does', () =>
  expect(prompted(past(), asked, 's-0').session).toEqual({ id: 's-0', prompt: 'Write it.' }));
